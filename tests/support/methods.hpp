// Methods of integration by name, with another step or tolerance.
#pragma once

#include "hamiltree/integrators/method.hpp"

namespace hamiltree::test {

inline Method with_step(const char* name, double step) {
  return hamiltree::with_step(*method_from_name(name), step);
}

inline Method with_tolerance(const char* name, double tolerance) {
  return with_tolerances(*method_from_name(name), {tolerance, tolerance});
}

}  // namespace hamiltree::test
