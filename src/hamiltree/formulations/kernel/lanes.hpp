// Four and eight doubles in the registers of the instruction set that is compiled for, with the few
// operations of vectors in space. Four: x, y, z and a spare lane. Eight: [linear | angular], or one
// lane per open row. Only sources that are compiled for each instruction set include it. Where
// HAMILTREE_STATES is defined the states are in lanes instead, and these are arrays of packs.
#pragma once

#include <cstring>

#include "hamiltree/formulations/kernel/work.hpp"
#if defined(HAMILTREE_COUNTING)
#include "hamiltree/formulations/kernel/counted_lanes.hpp"
#elif defined(HAMILTREE_STATES)
#include "hamiltree/formulations/kernel/state_lanes.hpp"
#endif

namespace hamiltree::kernel {

#ifndef HAMILTREE_STATES

using Number = double;  // as it lies in memory
// An array of which nothing is set, whatever T sets by itself.
template <class T, int n>
using Unset = T[n];

#if defined(HAMILTREE_COUNTING)

using Real = CountedReal;
using Four = CountedFour;

#elif defined(__AVX__)

using Real = double;
using Four [[gnu::vector_size(4 * sizeof(double))]] = double;

// Lanes of a, 0 to 3, and of b, 4 to 7.
template <int i, int j, int k, int l>
inline Four shuffled(Four a, Four b) {
  return __builtin_shufflevector(a, b, i, j, k, l);
}
inline Four load(const double* from) {
  Four a;
  std::memcpy(&a, from, sizeof(a));
  return a;
}
inline void store(Four a, double* to) { std::memcpy(to, &a, sizeof(a)); }

#else

using Real = double;
// Compilers keep vectors that are wider than the registers in memory: two of two lanes.
struct Four {
  using Two [[gnu::vector_size(2 * sizeof(double))]] = double;
  Two low{}, high{};

  constexpr Four() = default;
  constexpr Four(Two first, Two last) : low(first), high(last) {}
  constexpr Four(double x, double y, double z, double w) : low{x, y}, high{z, w} {}

  double operator[](int lane) const { return lane < 2 ? low[lane] : high[lane - 2]; }
  friend Four operator+(Four a, Four b) { return {a.low + b.low, a.high + b.high}; }
  friend Four operator-(Four a, Four b) { return {a.low - b.low, a.high - b.high}; }
  friend Four operator*(Four a, Four b) { return {a.low * b.low, a.high * b.high}; }
  friend Four operator*(Four a, double b) { return {a.low * b, a.high * b}; }
  friend Four operator-(Four a) { return {-a.low, -a.high}; }
  Four& operator+=(Four b) { return *this = *this + b; }
  Four& operator-=(Four b) { return *this = *this - b; }
};

template <int i>
inline Four::Two pair_of(Four a, Four b) {
  if constexpr (i < 2) return a.low;
  if constexpr (i < 4) return a.high;
  if constexpr (i < 6) return b.low;
  return b.high;
}
template <int i, int j, int k, int l>
inline Four shuffled(Four a, Four b) {
  return {__builtin_shufflevector(pair_of<i>(a, b), pair_of<j>(a, b), i % 2, 2 + j % 2),
          __builtin_shufflevector(pair_of<k>(a, b), pair_of<l>(a, b), k % 2, 2 + l % 2)};
}
inline Four load(const double* from) {
  Four a;
  std::memcpy(&a.low, from, sizeof(a.low));
  std::memcpy(&a.high, from + 2, sizeof(a.high));
  return a;
}
inline void store(Four a, double* to) {
  std::memcpy(to, &a.low, sizeof(a.low));
  std::memcpy(to + 2, &a.high, sizeof(a.high));
}

#endif

inline Four load(const Half& from) { return load(from.lane); }
// Loads a vector whose fourth lane is 1.
inline Four load_with_one(const Half& from) { return load(from); }
inline void store(Four a, Half& to) { store(a, to.lane); }

// 1/d where the pivot is kept, else 0.
inline Real inverse_where(bool kept, Real d) { return kept ? 1.0 / d : Real(0.0); }
inline double larger(double a, double b) { return a > b ? a : b; }
inline void hold_unless(bool kept, bool& held) { held |= !kept; }
inline double root(double x) { return __builtin_sqrt(x); }

#endif

inline Four all(Real x) { return Four{x, x, x, x}; }
inline Four yzx(Four a) { return shuffled<1, 2, 0, 3>(a, a); }
inline Four zxy(Four a) { return shuffled<2, 0, 1, 3>(a, a); }
inline Four cross(Four a, Four b) { return yzx(a * yzx(b) - yzx(a) * b); }
// x + y + z.
inline Real sum3(Four a) { return a[0] + a[1] + a[2]; }
inline Real dot(Four a, Four b) { return sum3(a * b); }
inline Four with_fourth(Four a, Four fourth) { return shuffled<0, 1, 2, 7>(a, fourth); }

// x R e_x + y R e_y + z R e_z, the columns of R given.
inline Four turned(const Four* R, Real x, Real y, Real z) { return R[0] * x + R[1] * y + R[2] * z; }
template <class T>
inline Four turned(const Four* R, const T* v) {
  return turned(R, v[0], v[1], v[2]);
}

#ifndef HAMILTREE_STATES

// Two vectors as one of twice the lanes.
template <class Vector>
struct TwoOf {
  Vector low, high;

  friend TwoOf operator+(const TwoOf& a, const TwoOf& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend TwoOf operator-(const TwoOf& a, const TwoOf& b) {
    return {a.low - b.low, a.high - b.high};
  }
  friend TwoOf operator*(const TwoOf& a, const TwoOf& b) {
    return {a.low * b.low, a.high * b.high};
  }
  friend TwoOf operator*(const TwoOf& a, Real b) { return {a.low * b, a.high * b}; }
  TwoOf& operator+=(const TwoOf& b) { return *this = *this + b; }
  TwoOf& operator-=(const TwoOf& b) { return *this = *this - b; }
};

#if defined(__AVX512F__)

using Eight [[gnu::vector_size(8 * sizeof(double))]] = double;

inline Eight all_eight(Real x) { return Eight{x, x, x, x, x, x, x, x}; }
inline Four low(Eight a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
inline Four high(Eight a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }
inline Eight join(Four low, Four high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Eight load_eight(const double* from) {
  Eight a;
  std::memcpy(&a, from, sizeof(a));
  return a;
}
inline void store(const Eight& a, double* to) { std::memcpy(to, &a, sizeof(a)); }
inline Eight only_low(Eight a) {
  return __builtin_shufflevector(a, Eight{}, 0, 1, 2, 3, 12, 13, 14, 15);
}
// a but for lane 3.
inline Eight with_fourth(Eight a, Eight b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 11, 4, 5, 6, 7);
}
inline void transpose(Eight* a) {
  Eight t[8], u[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    t[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int k = 0; k < 2; ++k) {
      const Eight &x = t[i + k], &y = t[i + k + 2];
      u[i + k] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13);
      u[i + k + 2] = __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int k = 0; k < 4; ++k) {
    a[k] = __builtin_shufflevector(u[k], u[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    a[k + 4] = __builtin_shufflevector(u[k], u[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

#else

using Eight = TwoOf<Four>;

inline Eight all_eight(Real x) { return {all(x), all(x)}; }
inline Four low(const Eight& a) { return a.low; }
inline Four high(const Eight& a) { return a.high; }
inline Eight join(Four low, Four high) { return {low, high}; }
// Half by half: as a whole it would be copied in pieces that cannot be forwarded from stores.
inline Eight load_eight(const double* from) { return {load(from), load(from + 4)}; }
inline void store(const Eight& a, double* to) {
  store(a.low, to);
  store(a.high, to + 4);
}
inline Eight only_low(const Eight& a) { return {a.low, Four{}}; }
// a but for lane 3.
inline Eight with_fourth(const Eight& a, const Eight& b) {
  return {with_fourth(a.low, b.low), a.high};
}
inline void transpose(Four* a) {
  const Four t0 = shuffled<0, 4, 2, 6>(a[0], a[1]), t1 = shuffled<1, 5, 3, 7>(a[0], a[1]);
  const Four t2 = shuffled<0, 4, 2, 6>(a[2], a[3]), t3 = shuffled<1, 5, 3, 7>(a[2], a[3]);
  a[0] = shuffled<0, 1, 4, 5>(t0, t2);
  a[1] = shuffled<0, 1, 4, 5>(t1, t3);
  a[2] = shuffled<2, 3, 6, 7>(t0, t2);
  a[3] = shuffled<2, 3, 6, 7>(t1, t3);
}
inline void transpose(Eight* a) {
  Four block[4][4];  // low and high lanes of the first four, then of the last four
  for (int i = 0; i < 4; ++i) {
    block[0][i] = a[i].low;
    block[1][i] = a[i].high;
    block[2][i] = a[i + 4].low;
    block[3][i] = a[i + 4].high;
  }
  for (auto& each : block) transpose(each);
  for (int i = 0; i < 4; ++i) {
    a[i] = {block[0][i], block[2][i]};
    a[i + 4] = {block[1][i], block[3][i]};
  }
}

#endif

inline Eight load(const Lanes& from) { return load_eight(from.lane); }
inline void store(const Eight& a, Lanes& to) { store(a, to.lane); }

// The sum of all lanes.
inline Real sum(const Eight& a) {
  const Four s = low(a) + high(a);
  return (s[0] + s[2]) + (s[1] + s[3]);
}

#endif

#if defined(__AVX512F__) && !defined(HAMILTREE_STATES)

// [l | a] -> [l | a + arm x l].
struct Arm {
  Eight yzx_high, zxy_high;
  explicit Arm(Four arm) : yzx_high(join(Four{}, yzx(arm))), zxy_high(join(Four{}, zxy(arm))) {}
};
inline Eight moved(Eight A, const Arm& arm) {
  return A + arm.yzx_high * __builtin_shufflevector(A, A, 0, 1, 2, 3, 2, 0, 1, 3) -
         arm.zxy_high * __builtin_shufflevector(A, A, 0, 1, 2, 3, 1, 2, 0, 3);
}

#else

// [l | a] -> [l | a + arm x l].
struct Arm {
  Four arm;
  explicit Arm(Four lever) : arm(lever) {}
};
inline Eight moved(const Eight& A, const Arm& arm) {
  return join(low(A), high(A) + cross(arm.arm, with_fourth(low(A), Four{})));
}

#endif

inline Real dot(const Eight& a, const Eight& b) { return sum(a * b); }

}  // namespace hamiltree::kernel
