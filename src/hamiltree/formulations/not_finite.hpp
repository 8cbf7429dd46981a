// Whether an evaluation went wrong, and where.
#pragma once

#include <optional>
#include <span>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

inline bool are_finite(std::span<const double> values) {
  double sum = 0.0;  // is not a number if any term is not
  for (const double value : values) sum += value * 0.0;
  return sum == 0.0;
}

// The first body, from the ground on, whose joint has a velocity or a rate that is not finite.
std::optional<int> first_not_finite(const Model& model, const Workspace& workspace);

}  // namespace hamiltree
