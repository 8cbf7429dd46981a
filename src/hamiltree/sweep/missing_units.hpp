// The samples of a sweep that are not in its journals yet, in the units that are run at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/sample_runner.hpp"

namespace hamiltree {

inline std::vector<std::vector<std::size_t>> missing_units(const JournalIndex& done,
                                                           const SamplePlan& plan) {
  std::vector<std::vector<std::size_t>> units;
  const auto samples = plan.study().sampling.count();
  for (std::size_t first = 0; first < samples; first += plan.unit()) {
    std::vector<std::size_t> unit;
    for (auto sample = first; sample < std::min(first + plan.unit(), samples); ++sample) {
      if (!done.has(sample)) unit.push_back(sample);
    }
    if (!unit.empty()) units.push_back(std::move(unit));
  }
  return units;
}

}  // namespace hamiltree
