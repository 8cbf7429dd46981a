// Traced: a scalar that records the operations done on it in the current Trace.
//
//   Trace trace;
//   TraceScope scope(trace);
//   const Traced x = trace.input("x");
//   trace.output("y", sin(x) * 2.0);
//
// Folding is by structure, as a reader of the equations would do it: 0 x is 0 and x - x is 0 even
// where x might be infinite or not a number, x + 0 and 1 x are x, -(-x) is x, signs are drawn out
// of products and quotients and into sums, and operations on constants are done at once. Equal
// operations are one node. All this changes a result in nothing but the sign of a zero.
#pragma once

#include <concepts>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/math/trace.hpp"

namespace hamiltree {

class TracedMask;

// A constant, or a node of one trace. Constants alone need no TraceScope; anything else throws
// std::logic_error outside the scope of its trace.
class Traced {
 public:
  Traced() = default;
  Traced(double constant) : constant_(constant) {}

  bool is_constant() const { return trace_ == 0; }
  // Throws std::logic_error unless it is a constant.
  double constant_value() const;

  Traced& operator+=(const Traced& b) { return *this = *this + b; }
  Traced& operator-=(const Traced& b) { return *this = *this - b; }
  Traced& operator*=(const Traced& b) { return *this = *this * b; }
  Traced& operator/=(const Traced& b) { return *this = *this / b; }

  friend Traced operator+(const Traced& a) { return a; }
  friend Traced operator-(const Traced& a);
  friend Traced operator+(const Traced& a, const Traced& b);
  friend Traced operator-(const Traced& a, const Traced& b);
  friend Traced operator*(const Traced& a, const Traced& b);
  friend Traced operator/(const Traced& a, const Traced& b);

  friend TracedMask operator<(const Traced& a, const Traced& b);
  friend TracedMask operator<=(const Traced& a, const Traced& b);
  friend TracedMask operator>(const Traced& a, const Traced& b);
  friend TracedMask operator>=(const Traced& a, const Traced& b);

  friend Traced abs(const Traced& a);
  friend Traced sqrt(const Traced& a);
  friend Traced sin(const Traced& a);
  friend Traced cos(const Traced& a);
  friend Traced tanh(const Traced& a);
  friend Traced atan2(const Traced& y, const Traced& x);
  // The constant's value; a node has none: std::logic_error.
  friend double to_double(const Traced& a) { return a.constant_value(); }

 private:
  friend class Trace;
  friend class TraceBuilder;

  double constant_ = 0.0;    // of a constant
  TraceIndex node_ = 0;      // of a node
  std::uint32_t trace_ = 0;  // id of its trace; 0 is a constant
};

// The outcome of a comparison: nothing that an `if` could test. == does not exist on purpose.
class TracedMask {
 public:
  template <std::same_as<bool> Bool>
  TracedMask(Bool known) : flag_(known ? 1.0 : 0.0) {}

  friend TracedMask operator!(const TracedMask& m);
  friend TracedMask operator&&(const TracedMask& m, const TracedMask& n);  // evaluates both
  friend TracedMask operator||(const TracedMask& m, const TracedMask& n);

 private:
  friend class TraceBuilder;
  explicit TracedMask(const Traced& flag) : flag_(flag) {}

  Traced flag_;  // 1 or 0
};

Traced select(const TracedMask& mask, const Traced& x, const Traced& y);

// An operation of another trace, recorded in the current one as it is. Masks are 1 or 0.
Traced apply_operation(TraceOp op, const Traced& a, const Traced& b, const Traced& c);
// The mask that apply_operation() has recorded.
TracedMask mask_of(const Traced& flag);

static_assert(Scalar<Traced>);

// Eigen asks alpha's imaginary part == 0 in matrix-vector products; this knows the answer.
struct NoImaginaryPart {
  friend constexpr bool operator==(NoImaginaryPart, const Traced&) { return true; }
};

}  // namespace hamiltree

template <>
struct Eigen::NumTraits<hamiltree::Traced> : hamiltree::EigenScalarTraits<hamiltree::Traced> {};

template <class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::Traced, double, Op> {
  using ReturnType = hamiltree::Traced;
};
template <class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::Traced, Op> {
  using ReturnType = hamiltree::Traced;
};

template <>
struct Eigen::internal::imag_retval<hamiltree::Traced> {
  using type = hamiltree::NoImaginaryPart;
};
template <>
struct Eigen::internal::imag_impl<hamiltree::Traced> {
  static hamiltree::NoImaginaryPart run(const hamiltree::Traced&) { return {}; }
};
