// Pack: eight doubles that go through the same operations. A Scalar like any other: comparisons
// give masks, select() takes lane by lane. What one instruction takes at a time, a part, depends on
// what is compiled for.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

inline constexpr int kLanes = 8;

#if defined(__AVX512F__)
inline constexpr int kPartLanes = 8;
#elif defined(__AVX__)
inline constexpr int kPartLanes = 4;
#else
inline constexpr int kPartLanes = 2;
#endif

class alignas(kLanes * sizeof(double)) Pack {
 public:
  static constexpr int kParts = kLanes / kPartLanes;
  using Part [[gnu::vector_size(kPartLanes * sizeof(double))]] = double;
  using Bits [[gnu::vector_size(kPartLanes * sizeof(double))]] = std::int64_t;
  struct Mask {
    Bits part[kParts];
  };

  Pack() = default;
  [[gnu::always_inline]] Pack(double value) : Pack(of_parts([&](int) { return value - Part{}; })) {}

  // Part by part: what is copied as a whole, compilers keep in memory.
  [[gnu::always_inline]] static Pack load(const double* from) {
    return of_parts([&](int k) {
      Part part;
      std::memcpy(&part, from + k * kPartLanes, sizeof(part));
      return part;
    });
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (int k = 0; k < kParts; ++k) std::memcpy(to + k * kPartLanes, &part_[k], sizeof(part_[k]));
  }

  // The value of each lane, put together in registers: a load of what was just stored number by
  // number waits for all the stores.
  template <class F>
  [[gnu::always_inline]] static Pack of_lanes(const F& value) {
    return of_parts([&](int k) {
      const int i = k * kPartLanes;
      if constexpr (kPartLanes == 2) {
        return Part{value(i), value(i + 1)};
      } else if constexpr (kPartLanes == 4) {
        return Part{value(i), value(i + 1), value(i + 2), value(i + 3)};
      } else {
        return Part{value(i),     value(i + 1), value(i + 2), value(i + 3),
                    value(i + 4), value(i + 5), value(i + 6), value(i + 7)};
      }
    });
  }

  [[gnu::always_inline]] double operator[](int lane) const {
    return part_[lane / kPartLanes][lane % kPartLanes];
  }
  [[gnu::always_inline]] void set(int lane, double value) {
    part_[lane / kPartLanes][lane % kPartLanes] = value;
  }

#define HAMILTREE_LANEWISE(op)                                                   \
  [[gnu::always_inline]] friend Pack operator op(const Pack& a, const Pack& b) { \
    return of_parts([&](int k) { return a.part_[k] op b.part_[k]; });            \
  }                                                                              \
  [[gnu::always_inline]] Pack& operator op##=(const Pack& b) { return *this = *this op b; }
  HAMILTREE_LANEWISE(+)
  HAMILTREE_LANEWISE(-)
  HAMILTREE_LANEWISE(*)
  HAMILTREE_LANEWISE(/)
#undef HAMILTREE_LANEWISE
  [[gnu::always_inline]] friend Pack operator-(const Pack& a) {
    return of_parts([&](int k) { return -a.part_[k]; });
  }

  [[gnu::always_inline]] friend Mask operator<(const Pack& a, const Pack& b) {
    Mask mask;
    for (int k = 0; k < kParts; ++k) mask.part[k] = a.part_[k] < b.part_[k];
    return mask;
  }
  [[gnu::always_inline]] friend Mask operator<=(const Pack& a, const Pack& b) {
    Mask mask;
    for (int k = 0; k < kParts; ++k) mask.part[k] = a.part_[k] <= b.part_[k];
    return mask;
  }
  [[gnu::always_inline]] friend Pack select(const Mask& mask, const Pack& x, const Pack& y) {
    return of_parts([&](int k) { return mask.part[k] ? x.part_[k] : y.part_[k]; });
  }
  // Lanes in which the given bit of the number's own representation is set.
  [[gnu::always_inline]] Mask has_bit(int bit) const {
    Mask mask;
    for (int k = 0; k < kParts; ++k) mask.part[k] = -((std::bit_cast<Bits>(part_[k]) >> bit) & 1);
    return mask;
  }

  // Each lane gets that of the lane whose number differs by the bit kBit.
  template <int kBit>
  [[gnu::always_inline]] friend Pack swap_lanes(const Pack& a) {
    Pack result;
    for (int k = 0; k < kParts; ++k) {
      if constexpr (kBit >= kPartLanes) {
        result.part_[k] = a.part_[k ^ (kBit / kPartLanes)];
      } else {
        Bits from;
        for (int i = 0; i < kPartLanes; ++i) from[i] = i ^ kBit;
        result.part_[k] = permuted(a.part_[k], from);
      }
    }
    return result;
  }
  // Lanes whose number has the bit kBit.
  template <int kBit>
  [[gnu::always_inline]] static Mask lanes_with() {
    Mask mask;
    for (int i = 0; i < kLanes; ++i)
      mask.part[i / kPartLanes][i % kPartLanes] = (i & kBit) != 0 ? -1 : 0;
    return mask;
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
  // The value of the first lane.
  friend double to_double(const Pack& a) { return a[0]; }

 private:
  template <class... Parts>
  [[gnu::always_inline]] explicit Pack(const Part& part, const Parts&... parts)
      : part_{part, parts...} {}

  // Written out, not as a loop: to unroll those of large kernels takes a compiler minutes.
  template <class F>
  [[gnu::always_inline]] static Pack of_parts(const F& f) {
    if constexpr (kParts == 1) {
      return Pack(f(0));
    } else if constexpr (kParts == 2) {
      return Pack(f(0), f(1));
    } else {
      return Pack(f(0), f(1), f(2), f(3));
    }
  }

  template <class F>
  Pack each(const F& f) const {
    Pack result;
    for (int i = 0; i < kLanes; ++i) result.set(i, f((*this)[i]));
    return result;
  }

  [[gnu::always_inline]] static Part permuted(const Part& part, const Bits& from) {
#if defined(__clang__)
    Part result;
    for (int i = 0; i < kPartLanes; ++i) result[i] = part[from[i]];
    return result;
#else
    return __builtin_shuffle(part, from);
#endif
  }

  Part part_[kParts] = {};
};

static_assert(Scalar<Pack>);

inline double sum_of_lanes(const Pack& pack) {
  double sum = 0.0;
  for (int lane = 0; lane < kLanes; ++lane) sum += pack[lane];
  return sum;
}

}  // namespace hamiltree
