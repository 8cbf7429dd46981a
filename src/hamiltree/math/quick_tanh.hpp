// tanh of a double in half of the C library's time, which friction in robots' joints asks for at
// every rate. Its relative error is at most 4e-16.
#pragma once

#include <cmath>

namespace hamiltree {

// Near zero Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ... / 15))), of which the
// rest is less than rounding; further out by exp(-2 |x|), without cancellation; then 1.
inline double quick_tanh(double x) {
  constexpr double kNear = 0.5, kOne = 19.1;
  const double size = std::abs(x);
  if (size < kNear) {
    const double z = x * x;
    return x * (2027025.0 + z * (270270.0 + z * (6930.0 + z * 36.0))) /
           (2027025.0 + z * (945945.0 + z * (51975.0 + z * (630.0 + z))));
  }
  if (size >= kOne) return std::copysign(1.0, x);
  const double rest = std::exp(-2.0 * size);
  return std::copysign((1.0 - rest) / (1.0 + rest), x);
}

}  // namespace hamiltree
