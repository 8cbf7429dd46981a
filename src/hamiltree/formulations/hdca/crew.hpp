// Crew: who does the loops of an evaluation, the caller alone or all threads of a pool. Who does
// what never changes a result: a loop's turns write different things, and read what was there
// before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/pool.hpp"
#include "hamiltree/plan/schedule.hpp"

namespace hamiltree::hdca {

struct Crew {
  Pool* pool = nullptr;  // null: alone, compounds in the order of the plan
  const Schedule* schedule = nullptr;
  int grain = 0;  // the least of each()'s turns that are worth being taken by themselves

  // turn(i) for all i below count, in any order.
  template <class Turn>
  void each(int count, const Turn& turn) const {
    const auto range = [&](int begin, int end) {
      for (int i = begin; i < end; ++i) turn(i);
    };
    if (pool == nullptr) return range(0, count);
    constexpr int kRanges = 32;  // at most; see Schedule
    const int size = std::max(grain, (count + kRanges - 1) / kRanges);
    run((count + size - 1) / size,
        [&](int item) { range(item * size, std::min((item + 1) * size, count)); });
  }

  // turn(c) for all compounds, each after its sides.
  template <class Turn>
  void up(int count, const Turn& turn) const {
    const auto range = [&](const int* compounds, int begin, int end) {
      for (int k = begin; k < end; ++k) turn(compounds == nullptr ? k : compounds[k]);
    };
    if (pool == nullptr) return range(nullptr, 0, count);
    for (std::size_t s = 0; s + 1 < schedule->stages.size(); ++s) run_stage(s, range);
  }

  // turn(c) for all compounds, each before its sides.
  template <class Turn>
  void down(int count, const Turn& turn) const {
    const auto range = [&](const int* compounds, int begin, int end) {
      for (int k = end - 1; k >= begin; --k) turn(compounds == nullptr ? k : compounds[k]);
    };
    if (pool == nullptr) return range(nullptr, 0, count);
    for (std::size_t s = schedule->stages.size() - 1; s > 0; --s) run_stage(s - 1, range);
  }

 private:
  template <class Range>
  void run_stage(std::size_t s, const Range& range) const {
    const int first = schedule->stages[s];
    run(schedule->stages[s + 1] - first, [&](int item) {
      const auto i = at(first + item);
      range(schedule->compounds.data(), schedule->items[i], schedule->items[i + 1]);
    });
  }

  template <class Item>
  void run(int count, const Item& item) const {
    const auto task = [&item](int, std::size_t i) { item(static_cast<int>(i)); };
    pool->run(at(count), std::ref(task));  // a reference: a Task of more than that allocates
  }
};

}  // namespace hamiltree::hdca
