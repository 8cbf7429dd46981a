// Counted: a double that counts the operations executed on it, per thread, inside a
// CountOperations scope. It counts what runs: x * 0 and x * 1 count like any product. Folding by
// structure, and sharing of common terms, is what Traced is for (tracing.hpp).
#pragma once

#include <cmath>
#include <compare>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/operation_count.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

namespace counting_detail {
inline constinit thread_local OperationCount executed;
}

// Counts from zero until it ends; an outer scope then sees the inner one's operations too.
class CountOperations {
 public:
  CountOperations() : outer_(counting_detail::executed) { counting_detail::executed = {}; }
  ~CountOperations() { counting_detail::executed += outer_; }
  CountOperations(const CountOperations&) = delete;
  CountOperations& operator=(const CountOperations&) = delete;

  // So far, on this thread, since this scope began (inner scopes that are still open excepted).
  OperationCount count() const { return counting_detail::executed; }

 private:
  OperationCount outer_;
};

class Counted {
 public:
  Counted() = default;
  Counted(double value) : value_(value) {}

  double value() const { return value_; }

  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend Counted operator+(const Counted& a) { return a; }
  friend Counted operator-(const Counted& a) { return -a.value_; }
  friend Counted operator+(const Counted& a, const Counted& b) {
    ++counting_detail::executed.additions;
    return a.value_ + b.value_;
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    ++counting_detail::executed.additions;
    return a.value_ - b.value_;
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    ++counting_detail::executed.multiplications;
    return a.value_ * b.value_;
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    ++counting_detail::executed.divisions;
    return a.value_ / b.value_;
  }

  friend bool operator==(const Counted& a, const Counted& b) {
    ++counting_detail::executed.comparisons;
    return a.value_ == b.value_;
  }
  friend std::partial_ordering operator<=>(const Counted& a, const Counted& b) {
    ++counting_detail::executed.comparisons;
    return a.value_ <=> b.value_;
  }
  friend Counted select(bool condition, const Counted& x, const Counted& y) {
    ++counting_detail::executed.selects;
    return condition ? x : y;
  }

  friend Counted abs(const Counted& a) { return std::abs(a.value_); }
  friend Counted sqrt(const Counted& a) {
    ++counting_detail::executed.square_roots;
    return std::sqrt(a.value_);
  }
  friend Counted sin(const Counted& a) {
    ++counting_detail::executed.trigonometric;
    return std::sin(a.value_);
  }
  friend Counted cos(const Counted& a) {
    ++counting_detail::executed.trigonometric;
    return std::cos(a.value_);
  }
  friend Counted tanh(const Counted& a) {
    ++counting_detail::executed.trigonometric;
    return std::tanh(a.value_);
  }
  friend Counted atan2(const Counted& y, const Counted& x) {
    ++counting_detail::executed.trigonometric;
    return std::atan2(y.value_, x.value_);
  }
  friend double to_double(const Counted& a) { return a.value_; }

 private:
  double value_ = 0.0;
};

static_assert(Scalar<Counted>);

}  // namespace hamiltree

template <>
struct Eigen::NumTraits<hamiltree::Counted> : hamiltree::EigenScalarTraits<hamiltree::Counted> {};

template <class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::Counted, double, Op> {
  using ReturnType = hamiltree::Counted;
};
template <class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::Counted, Op> {
  using ReturnType = hamiltree::Counted;
};
