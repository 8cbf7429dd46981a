// Critical: a double that knows how many operations, one after the other, led to it. With as many
// processors as there are independent operations a result is ready after that many: its depth. The
// largest depth of all results is the span of an algorithm, the operations together are its work.
// Every operation counts 1, sines and divisions too; selects take the depth of the deepest of both.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>

#include "hamiltree/math/eigen_scalar.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

namespace critical_detail {
struct Progress {
  std::uint64_t work = 0;
  std::uint32_t deepest = 0, earliest = 0;
};
inline constinit thread_local Progress progress;
}  // namespace critical_detail

// Work and span of all operations on this thread until it ends.
class MeasureCriticalPath {
 public:
  MeasureCriticalPath() : outer_(critical_detail::progress) { critical_detail::progress = {}; }
  ~MeasureCriticalPath() { critical_detail::progress = outer_; }
  MeasureCriticalPath(const MeasureCriticalPath&) = delete;
  MeasureCriticalPath& operator=(const MeasureCriticalPath&) = delete;

  std::uint64_t work() const { return critical_detail::progress.work; }
  std::uint32_t span() const { return critical_detail::progress.deepest; }
  // Whatever follows waits for whatever came before.
  void barrier() { critical_detail::progress.earliest = critical_detail::progress.deepest; }

 private:
  critical_detail::Progress outer_;
};

class Critical {
 public:
  Critical() = default;
  Critical(double value, std::uint32_t depth = 0) : value_(value), depth_(depth) {}

  double value() const { return value_; }
  std::uint32_t depth() const { return depth_; }

  Critical& operator+=(const Critical& b) { return *this = *this + b; }
  Critical& operator-=(const Critical& b) { return *this = *this - b; }
  Critical& operator*=(const Critical& b) { return *this = *this * b; }
  Critical& operator/=(const Critical& b) { return *this = *this / b; }

  friend Critical operator+(const Critical& a) { return a; }
  friend Critical operator-(const Critical& a) { return {-a.value_, a.depth_}; }
  friend Critical operator+(const Critical& a, const Critical& b) {
    return of(a, b, a.value_ + b.value_);
  }
  friend Critical operator-(const Critical& a, const Critical& b) {
    return of(a, b, a.value_ - b.value_);
  }
  friend Critical operator*(const Critical& a, const Critical& b) {
    return of(a, b, a.value_ * b.value_);
  }
  friend Critical operator/(const Critical& a, const Critical& b) {
    return of(a, b, a.value_ / b.value_);
  }

  friend bool operator==(const Critical& a, const Critical& b) { return a.value_ == b.value_; }
  friend std::partial_ordering operator<=>(const Critical& a, const Critical& b) {
    return a.value_ <=> b.value_;
  }
  friend Critical select(bool condition, const Critical& x, const Critical& y) {
    return of(x, y, condition ? x.value_ : y.value_);
  }

  friend Critical abs(const Critical& a) { return {std::abs(a.value_), a.depth_}; }
  friend Critical sqrt(const Critical& a) { return of(a, a, std::sqrt(a.value_)); }
  friend Critical sin(const Critical& a) { return of(a, a, std::sin(a.value_)); }
  friend Critical cos(const Critical& a) { return of(a, a, std::cos(a.value_)); }
  friend Critical tanh(const Critical& a) { return of(a, a, std::tanh(a.value_)); }
  friend Critical atan2(const Critical& y, const Critical& x) {
    return of(y, x, std::atan2(y.value_, x.value_));
  }
  friend double to_double(const Critical& a) { return a.value_; }

 private:
  static Critical of(const Critical& a, const Critical& b, double value) {
    auto& progress = critical_detail::progress;
    ++progress.work;
    const auto depth = std::max({a.depth_, b.depth_, progress.earliest}) + 1;
    progress.deepest = std::max(progress.deepest, depth);
    return {value, depth};
  }

  double value_ = 0.0;
  std::uint32_t depth_ = 0;
};

static_assert(Scalar<Critical>);

}  // namespace hamiltree

template <>
struct Eigen::NumTraits<hamiltree::Critical> : hamiltree::EigenScalarTraits<hamiltree::Critical> {};

template <class Op>
struct Eigen::ScalarBinaryOpTraits<hamiltree::Critical, double, Op> {
  using ReturnType = hamiltree::Critical;
};
template <class Op>
struct Eigen::ScalarBinaryOpTraits<double, hamiltree::Critical, Op> {
  using ReturnType = hamiltree::Critical;
};
