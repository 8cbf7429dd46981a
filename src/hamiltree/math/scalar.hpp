// Scalar: what a kernel may ask of its number type. float, double, Dual, Counted and Traced satisfy
// it. A kernel never branches on a Scalar: it writes select(a < b, x, y), where a < b is a bool or
// a mask, and calls functions as `using std::sin; sin(x)`.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

namespace hamiltree {

// x where the condition holds, else y. Both are evaluated.
template <class T>
requires std::is_arithmetic_v<T>
constexpr T select(bool condition, T x, T y) { return condition ? x : y; }

// The primal value of any Scalar, for printing and tests; never inside a kernel.
template <class T>
requires std::is_arithmetic_v<T>
constexpr double to_double(const T& x) { return static_cast<double>(x); }

namespace scalar_detail {

using std::abs;
using std::cos;
using std::sin;
using std::sqrt;
using std::tanh;

template <class T>
concept HasFunctions = requires(const T x) {
  { abs(x) } -> std::same_as<T>;
  { sqrt(x) } -> std::same_as<T>;
  { sin(x) } -> std::same_as<T>;
  { cos(x) } -> std::same_as<T>;
  { tanh(x) } -> std::same_as<T>;
};

}  // namespace scalar_detail

template <class T>
concept Scalar = std::semiregular<T> && std::constructible_from<T, double> &&
    scalar_detail::HasFunctions<T> && requires(T x, const T a, const T b) {
  { a + b } -> std::same_as<T>;
  { a - b } -> std::same_as<T>;
  { a* b } -> std::same_as<T>;
  { a / b } -> std::same_as<T>;
  { -a } -> std::same_as<T>;
  x += b;
  x -= b;
  x *= b;
  x /= b;
  { select(a < b, a, b) } -> std::same_as<T>;
  { select(a <= b, a, b) } -> std::same_as<T>;
  { to_double(a) } -> std::same_as<double>;
};

}  // namespace hamiltree
