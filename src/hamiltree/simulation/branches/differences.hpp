// Derivatives by central differences of sixth order: of smooth functions of a displacement, with
// steps of a hundredth of the length, right to 1e-13.
#pragma once

namespace hamiltree::branches {

// f'(0) from values of f at multiples of h; f gives Eigen's vectors or matrices.
template <class F>
auto rate_by_differences(double h, const F& f) {
  using Value = decltype(f(h));
  const auto difference = [&](double x) { return Value(f(x) - f(-x)); };
  return Value((45.0 * difference(h) - 9.0 * difference(2.0 * h) + difference(3.0 * h)) /
               (60.0 * h));
}

}  // namespace hamiltree::branches
