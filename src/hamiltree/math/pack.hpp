// Pack: eight doubles that one instruction handles together, or as many as the machine can. A
// Scalar like any other: comparisons give masks, select() takes lane by lane.
#pragma once

#include <cmath>
#include <cstdint>

#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

inline constexpr int kLanes = 8;

class Pack {
 public:
  using Lanes [[gnu::vector_size(kLanes * sizeof(double))]] = double;
  using Bits [[gnu::vector_size(kLanes * sizeof(double))]] = std::int64_t;
  struct Mask {
    Bits bits;
  };

  Pack() = default;
  [[gnu::always_inline]] Pack(double value) : lanes_(value - Lanes{}) {}
  [[gnu::always_inline]] explicit Pack(const Lanes& lanes) : lanes_(lanes) {}

  [[gnu::always_inline]] static Pack load(const double* from) {
    Pack pack;
    for (int i = 0; i < kLanes; ++i) pack.lanes_[i] = from[i];
    return pack;
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (int i = 0; i < kLanes; ++i) to[i] = lanes_[i];
  }

  const Lanes& lanes() const { return lanes_; }
  double operator[](int lane) const { return lanes_[lane]; }
  void set(int lane, double value) { lanes_[lane] = value; }

#define HAMILTREE_LANEWISE(op)                                                   \
  [[gnu::always_inline]] friend Pack operator op(const Pack& a, const Pack& b) { \
    return Pack(Lanes(a.lanes_ op b.lanes_));                                    \
  }                                                                              \
  [[gnu::always_inline]] Pack& operator op##=(const Pack& b) { return *this = *this op b; }
  HAMILTREE_LANEWISE(+)
  HAMILTREE_LANEWISE(-)
  HAMILTREE_LANEWISE(*)
  HAMILTREE_LANEWISE(/)
#undef HAMILTREE_LANEWISE
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) { return Pack(Lanes(-a.lanes_)); }

  [[gnu::always_inline]] friend Mask operator<(const Pack& a, const Pack& b) {
    return {a.lanes_ < b.lanes_};
  }
  [[gnu::always_inline]] friend Mask operator<=(const Pack& a, const Pack& b) {
    return {a.lanes_ <= b.lanes_};
  }
  [[gnu::always_inline]] friend Pack select(const Mask& mask, const Pack& x, const Pack& y) {
    return Pack(Lanes(mask.bits ? x.lanes_ : y.lanes_));
  }

  friend Pack abs(const Pack& a) { return select(a < Pack(0.0), -a, a); }
  friend Pack sqrt(const Pack& a) {
    return a.each([](double x) { return std::sqrt(x); });
  }
  friend Pack sin(const Pack& a) {
    return a.each([](double x) { return std::sin(x); });
  }
  friend Pack cos(const Pack& a) {
    return a.each([](double x) { return std::cos(x); });
  }
  friend Pack tanh(const Pack& a) {
    return a.each([](double x) { return std::tanh(x); });
  }
  // Of the first lane.
  friend double to_double(const Pack& a) { return a.lanes_[0]; }

 private:
  template <class F>
  Pack each(const F& f) const {
    Pack result;
    for (int i = 0; i < kLanes; ++i) result.lanes_[i] = f(lanes_[i]);
    return result;
  }

  Lanes lanes_{};
};

static_assert(Scalar<Pack>);

}  // namespace hamiltree
