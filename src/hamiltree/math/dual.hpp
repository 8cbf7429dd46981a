// Dual: forward-mode differentiation. A value and its derivative along one direction; seed the
// direction with derivative = 1 and read the derivative of any result.
#pragma once

#include <cmath>
#include <compare>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

struct Dual {
  double value = 0.0;
  double derivative = 0.0;

  constexpr Dual() = default;
  constexpr Dual(double v, double d = 0.0) : value(v), derivative(d) {}

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }

  // Comparisons see the value only.
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend constexpr std::partial_ordering operator<=>(const Dual& a, const Dual& b) {
    return a.value <=> b.value;
  }
  friend constexpr Dual select(bool condition, const Dual& x, const Dual& y) {
    return condition ? x : y;
  }
  friend constexpr double to_double(const Dual& a) { return a.value; }
};

inline Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.derivative}; }
inline Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.derivative}; }

inline Dual tanh(const Dual& a) {
  const double value = std::tanh(a.value);
  return {value, (1.0 - value * value) * a.derivative};
}

// The derivative at 0 is not finite.
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value);
  return {root, a.derivative / (2.0 * root)};
}

inline Dual atan2(const Dual& y, const Dual& x) {
  const double square = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (x.value * y.derivative - y.value * x.derivative) / square};
}

// At 0 the derivative from the right.
inline Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }

static_assert(Scalar<double> && Scalar<float> && Scalar<Dual>);

}  // namespace hamiltree

template <>
struct Eigen::NumTraits<hamiltree::Dual> : hamiltree::EigenScalarTraits<hamiltree::Dual> {};

template <class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::Dual, double, Op> {
  using ReturnType = hamiltree::Dual;
};
template <class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::Dual, Op> {
  using ReturnType = hamiltree::Dual;
};
