// Eight states side by side: every number is a pack with a lane for each of them, and what is a
// vector in registers for one state is an array of packs. Spare lanes of these are left out, or not
// stored, so that compilers drop what is computed of them (HAMILTREE_STATES).
#pragma once

#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::kernel {

using Number = Pack;
using Real = Pack;

// An array of which nothing is set: packs set themselves to zero.
template <class T, int n>
struct Unset {
  operator T*() { return reinterpret_cast<T*>(storage); }
  operator const T*() const { return reinterpret_cast<const T*>(storage); }
  alignas(T) unsigned char storage[n * sizeof(T)];
};

using Half = HalfIn<Number>;
template <int n>
using LanesOf = LanesIn<Number, n>;
using Lanes = LanesOf<kLaneCount>;
using BodyWork = BodyWorkIn<Number>;
template <int n>
using Rows = RowsIn<Number, n>;
template <int n>
using Closed = ClosedIn<Number, n>;
using CutWork = CutWorkIn<Number>;
using Work = WorkIn<Number>;
using Arrays = ArraysIn<Number>;

// As many numbers as there are lanes, written out: compilers take apart what has no loops.
template <int n>
struct Numbers;
#define HAMILTREE_NUMBERWISE(op)                                   \
  friend Numbers operator op(const Numbers& a, const Numbers& b) { \
    return of([&](int i) { return a.lane[i] op b.lane[i]; });      \
  }                                                                \
  Numbers& operator op##=(const Numbers& b) { return *this = *this op b; }
#define HAMILTREE_NUMBERS                                       \
  Number operator[](int i) const { return lane[i]; }            \
  HAMILTREE_NUMBERWISE(+)                                       \
  HAMILTREE_NUMBERWISE(-)                                       \
  HAMILTREE_NUMBERWISE(*)                                       \
  friend Numbers operator*(const Numbers& a, const Number& b) { \
    return of([&](int i) { return a.lane[i] * b; });            \
  }                                                             \
  friend Numbers operator-(const Numbers& a) {                  \
    return of([&](int i) { return -a.lane[i]; });               \
  }

using Four = Numbers<4>;
template <>
struct Numbers<4> {
  Number lane[4];

  template <class F>
  static Numbers of(const F& f) {
    return {f(0), f(1), f(2), f(3)};
  }
  HAMILTREE_NUMBERS
};

// [lx ly lz . | ax ay az]
using Eight = Numbers<7>;
template <>
struct Numbers<7> {
  Number lane[7];

  template <class F>
  static Numbers of(const F& f) {
    return {f(0), f(1), f(2), f(3), f(4), f(5), f(6)};
  }
  HAMILTREE_NUMBERS
};
#undef HAMILTREE_NUMBERS
#undef HAMILTREE_NUMBERWISE

// Lanes of a, 0 to 3, and of b, 4 to 7.
template <int i, int j, int k, int l>
inline Four shuffled(const Four& a, const Four& b) {
  const auto lane = [&](int m) { return m < 4 ? a.lane[m] : b.lane[m - 4]; };
  return {lane(i), lane(j), lane(k), lane(l)};
}
inline Four load(const Half& from) { return {from.lane[0], from.lane[1], from.lane[2], 0.0}; }
inline Four load_with_one(const Half& from) {
  return {from.lane[0], from.lane[1], from.lane[2], 1.0};
}
inline void store(const Four& a, Half& to) {
  to.lane[0] = a.lane[0];
  to.lane[1] = a.lane[1];
  to.lane[2] = a.lane[2];
}

inline Eight all_eight(const Number& x) {
  return Eight::of([&](int) { return x; });
}
inline Four low(const Eight& a) { return {a.lane[0], a.lane[1], a.lane[2], a.lane[3]}; }
inline Four high(const Eight& a) { return {a.lane[4], a.lane[5], a.lane[6], 0.0}; }
inline Eight join(const Four& low, const Four& high) {
  return {low.lane[0],  low.lane[1],  low.lane[2], low.lane[3],
          high.lane[0], high.lane[1], high.lane[2]};
}
inline Eight only_low(const Eight& a) { return join(low(a), Four{}); }
// a but for lane 3.
inline Eight with_fourth(const Eight& a, const Eight& b) {
  return {a.lane[0], a.lane[1], a.lane[2], b.lane[3], a.lane[4], a.lane[5], a.lane[6]};
}
inline Eight load(const Lanes& from) {
  return Eight::of([&](int i) { return from.lane[i]; });
}
inline void store(const Eight& a, Lanes& to) {
  for (int i = 0; i < 7; ++i) to.lane[i] = a.lane[i];
}
inline Number sum(const Eight& a) {
  return ((a.lane[0] + a.lane[1]) + (a.lane[2] + a.lane[3])) +
         ((a.lane[4] + a.lane[5]) + a.lane[6]);
}

// 1/d where the pivot is kept, else 0.
inline Number inverse_where(const Pack::Mask& kept, const Number& d) {
  return select(kept, Number(1.0) / d, Number(0.0));
}
inline Number larger(const Number& a, const Number& b) { return select(b < a, a, b); }
inline void hold_unless(const Pack::Mask& kept, Number& held) {
  held = select(kept, held, Number(1.0));
}
inline Number root(const Number& x) { return sqrt(x); }

}  // namespace hamiltree::kernel
