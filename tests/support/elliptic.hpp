// Jacobi's elliptic functions by the arithmetic-geometric mean [Abramowitz1964, 16.4, 17.6], for
// motions that are known in closed form. The parameter m is the square of the modulus, 0 <= m < 1.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace hamiltree::test {

struct Jacobi {
  double am;  // the amplitude, which grows without limit
  double sn;
  double cn;
  double dn;
};

inline Jacobi jacobi(double u, double m) {
  std::array<double, 16> c_over_a{};
  double a = 1.0;
  double b = std::sqrt(1.0 - m);
  std::size_t n = 0;
  for (double c = std::sqrt(m); c > 1e-17 && n + 1 < c_over_a.size();) {
    c = 0.5 * (a - b);
    b = std::sqrt(a * b);
    a -= c;
    c_over_a[++n] = c / a;
  }
  double am = std::ldexp(a * u, static_cast<int>(n));
  for (; n > 0; --n) am = 0.5 * (am + std::asin(c_over_a[n] * std::sin(am)));
  const double cn = std::cos(am);
  return {am, std::sin(am), cn, std::sqrt(1.0 - m + m * cn * cn)};
}

// K(m), a quarter of the period of sn.
inline double quarter_period(double m) {
  double a = 1.0;
  double b = std::sqrt(1.0 - m);
  while (a - b > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (a + b);
}

}  // namespace hamiltree::test
