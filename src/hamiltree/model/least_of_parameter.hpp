// The least that a parameter of a model may be, by its name.
#pragma once

#include <limits>
#include <string_view>

namespace hamiltree {

// 0 of masses; of all others the lowest number that there is. Which inertias no body has is seen
// from all their entries together.
inline double least_of_parameter(std::string_view name) {
  return name.ends_with(".mass") ? 0.0 : std::numeric_limits<double>::lowest();
}

}  // namespace hamiltree
