// Forward-mode differentiation: a value and its derivative along one direction, or along eight at a
// time; seed a direction with derivative = 1 and read the derivative of any result.
#pragma once

#include <cmath>
#include <compare>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/math/stored_pack.hpp"

namespace hamiltree {

template <class Derivative>
struct BasicDual {
  double value = 0.0;
  Derivative derivative = 0.0;

  constexpr BasicDual() = default;
  constexpr BasicDual(double v, const Derivative& d = 0.0) : value(v), derivative(d) {}

  constexpr BasicDual& operator+=(const BasicDual& b) { return *this = *this + b; }
  constexpr BasicDual& operator-=(const BasicDual& b) { return *this = *this - b; }
  constexpr BasicDual& operator*=(const BasicDual& b) { return *this = *this * b; }
  constexpr BasicDual& operator/=(const BasicDual& b) { return *this = *this / b; }

  friend constexpr BasicDual operator+(const BasicDual& a) { return a; }
  friend constexpr BasicDual operator-(const BasicDual& a) { return {-a.value, -a.derivative}; }
  friend constexpr BasicDual operator+(const BasicDual& a, const BasicDual& b) {
    return {a.value + b.value, a.derivative + b.derivative};
  }
  friend constexpr BasicDual operator-(const BasicDual& a, const BasicDual& b) {
    return {a.value - b.value, a.derivative - b.derivative};
  }
  friend constexpr BasicDual operator*(const BasicDual& a, const BasicDual& b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend constexpr BasicDual operator/(const BasicDual& a, const BasicDual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }

  // Comparisons see the value only.
  friend constexpr bool operator==(const BasicDual& a, const BasicDual& b) {
    return a.value == b.value;
  }
  friend constexpr std::partial_ordering operator<=>(const BasicDual& a, const BasicDual& b) {
    return a.value <=> b.value;
  }
  friend constexpr BasicDual select(bool condition, const BasicDual& x, const BasicDual& y) {
    return condition ? x : y;
  }
  friend constexpr double to_double(const BasicDual& a) { return a.value; }

  friend BasicDual sin(const BasicDual& a) {
    return {std::sin(a.value), std::cos(a.value) * a.derivative};
  }
  friend BasicDual cos(const BasicDual& a) {
    return {std::cos(a.value), -std::sin(a.value) * a.derivative};
  }
  friend BasicDual tanh(const BasicDual& a) {
    const double value = std::tanh(a.value);
    return {value, (1.0 - value * value) * a.derivative};
  }
  // The derivative at 0 is not finite.
  friend BasicDual sqrt(const BasicDual& a) {
    const double root = std::sqrt(a.value);
    return {root, a.derivative / (2.0 * root)};
  }
  friend BasicDual atan2(const BasicDual& y, const BasicDual& x) {
    const double square = x.value * x.value + y.value * y.value;
    return {std::atan2(y.value, x.value),
            (x.value * y.derivative - y.value * x.derivative) / square};
  }
  // At 0 the derivative from the right.
  friend BasicDual abs(const BasicDual& a) { return a.value < 0.0 ? -a : a; }
};

using Dual = BasicDual<double>;
using Duals = BasicDual<StoredPack>;  // kLanes directions at a time

static_assert(Scalar<double> && Scalar<float> && Scalar<Dual> && Scalar<Duals>);

}  // namespace hamiltree

template <class D>
struct Eigen::NumTraits<hamiltree::BasicDual<D>>
    : hamiltree::EigenScalarTraits<hamiltree::BasicDual<D>> {};

template <class D, class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::BasicDual<D>, double, Op> {
  using ReturnType = hamiltree::BasicDual<D>;
};
template <class D, class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::BasicDual<D>, Op> {
  using ReturnType = hamiltree::BasicDual<D>;
};
