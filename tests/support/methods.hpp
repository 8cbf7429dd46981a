// Methods of integration with another step or tolerance.
#pragma once

#include "hamiltree/integrators/method.hpp"

namespace hamiltree::test {

inline Method with_step(Method method, double step) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.step; }) m.step = step;
      },
      method);
  return method;
}
inline Method with_step(const char* name, double step) {
  return with_step(*method_from_name(name), step);
}

inline Method with_tolerance(const char* name, double tolerance) {
  auto method = *method_from_name(name);
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.rtol; }) m.rtol = m.atol = tolerance;
      },
      method);
  return method;
}

}  // namespace hamiltree::test
