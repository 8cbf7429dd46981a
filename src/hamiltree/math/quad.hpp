// Quad: a number with 113 bits of mantissa, IEEE binary128, about 34 decimal digits. The same
// kernels on it are the reference of what double precision loses. In software on most machines: a
// hundred times slower than double.
#pragma once

#include <cfloat>
#include <compare>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

#if LDBL_MANT_DIG == 113
using Binary128 = long double;
#else
using Binary128 = __float128;
#endif

class Quad {
 public:
  Quad() = default;
  Quad(double value) : value_(value) {}

  // 2^-112, the distance of 1 from the next number.
  static Quad epsilon() { return Quad(DBL_EPSILON) * Quad(DBL_EPSILON) / Quad(256.0); }

  Quad& operator+=(const Quad& b) { return *this = *this + b; }
  Quad& operator-=(const Quad& b) { return *this = *this - b; }
  Quad& operator*=(const Quad& b) { return *this = *this * b; }
  Quad& operator/=(const Quad& b) { return *this = *this / b; }

  friend Quad operator+(const Quad& a) { return a; }
  friend Quad operator-(const Quad& a) { return of(-a.value_); }
  friend Quad operator+(const Quad& a, const Quad& b) { return of(a.value_ + b.value_); }
  friend Quad operator-(const Quad& a, const Quad& b) { return of(a.value_ - b.value_); }
  friend Quad operator*(const Quad& a, const Quad& b) { return of(a.value_ * b.value_); }
  friend Quad operator/(const Quad& a, const Quad& b) { return of(a.value_ / b.value_); }

  friend bool operator==(const Quad& a, const Quad& b) { return a.value_ == b.value_; }
  friend std::partial_ordering operator<=>(const Quad& a, const Quad& b) {
    if (a.value_ < b.value_) return std::partial_ordering::less;
    if (a.value_ > b.value_) return std::partial_ordering::greater;
    if (a.value_ == b.value_) return std::partial_ordering::equivalent;
    return std::partial_ordering::unordered;
  }
  friend Quad select(bool condition, const Quad& x, const Quad& y) { return condition ? x : y; }

  friend Quad abs(const Quad& a) { return a.value_ < 0 ? -a : a; }
  friend Quad sqrt(const Quad& a);
  friend Quad sin(const Quad& a);
  friend Quad cos(const Quad& a);
  friend Quad tanh(const Quad& a);
  friend Quad atan2(const Quad& y, const Quad& x);
  friend double to_double(const Quad& a) { return static_cast<double>(a.value_); }

 private:
  static Quad of(Binary128 value) {
    Quad result;
    result.value_ = value;
    return result;
  }

  Binary128 value_ = 0;
};

// Declared here too, so that they are found outside the class.
Quad sqrt(const Quad& a);
Quad sin(const Quad& a);
Quad cos(const Quad& a);
Quad tanh(const Quad& a);
Quad atan2(const Quad& y, const Quad& x);

static_assert(Scalar<Quad>);

}  // namespace hamiltree

template <>
struct Eigen::NumTraits<hamiltree::Quad> : hamiltree::EigenScalarTraits<hamiltree::Quad> {
  static hamiltree::Quad epsilon() { return hamiltree::Quad::epsilon(); }
};

template <class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::Quad, double, Op> {
  using ReturnType = hamiltree::Quad;
};
template <class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::Quad, Op> {
  using ReturnType = hamiltree::Quad;
};
