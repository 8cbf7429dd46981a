// Four and eight doubles in the registers of the instruction set that is compiled for, with the few
// operations of vectors in space. Four: x, y, z and a spare lane. Eight: [linear | angular], or one
// lane per open row. Only sources that are compiled for each instruction set include it.
#pragma once

#include <cstring>

#include "hamiltree/formulations/kernel/storage.hpp"

namespace hamiltree::kernel {

using Four [[gnu::vector_size(4 * sizeof(double))]] = double;

inline Four all(double x) { return Four{x, x, x, x}; }
inline Four yzx(Four a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
inline Four zxy(Four a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }
inline Four cross(Four a, Four b) { return yzx(a * yzx(b) - yzx(a) * b); }
// x + y + z.
inline double sum3(Four a) { return a[0] + a[1] + a[2]; }
inline double dot(Four a, Four b) { return sum3(a * b); }
inline Four with_fourth(Four a, Four fourth) { return __builtin_shufflevector(a, fourth, 0, 1, 2, 7); }

inline Four load(const Half& from) {
  Four a;
  std::memcpy(&a, &from, sizeof(a));
  return a;
}
inline void store(Four a, Half& to) { std::memcpy(&to, &a, sizeof(a)); }

// x R e_x + y R e_y + z R e_z, the columns of R given.
inline Four turned(const Four* R, double x, double y, double z) {
  return R[0] * x + R[1] * y + R[2] * z;
}
inline Four turned(const Four* R, const double* v) { return turned(R, v[0], v[1], v[2]); }

#if defined(__AVX512F__)

using Eight [[gnu::vector_size(8 * sizeof(double))]] = double;

inline Eight all_eight(double x) { return Eight{x, x, x, x, x, x, x, x}; }
inline Four low(Eight a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
inline Four high(Eight a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }
inline Eight join(Four low, Four high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Eight load(const Lanes& from) {
  Eight a;
  std::memcpy(&a, &from, sizeof(a));
  return a;
}
inline void store(const Eight& a, Lanes& to) { std::memcpy(&to, &a, sizeof(a)); }
inline Eight only_low(Eight a) {
  return __builtin_shufflevector(a, Eight{}, 0, 1, 2, 3, 12, 13, 14, 15);
}
// a but for lane 3.
inline Eight with_fourth(Eight a, Eight b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 11, 4, 5, 6, 7);
}
// [l | a] -> [l | a + arm x l], see Arm.
struct Arm {
  Eight yzx_high, zxy_high;
  explicit Arm(Four arm) : yzx_high(join(Four{}, yzx(arm))), zxy_high(join(Four{}, zxy(arm))) {}
};
inline Eight moved(Eight A, const Arm& arm) {
  return A + arm.yzx_high * __builtin_shufflevector(A, A, 0, 1, 2, 3, 2, 0, 1, 3) -
         arm.zxy_high * __builtin_shufflevector(A, A, 0, 1, 2, 3, 1, 2, 0, 3);
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

struct Eight {
  Four low, high;

  friend Eight operator+(const Eight& a, const Eight& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend Eight operator-(const Eight& a, const Eight& b) {
    return {a.low - b.low, a.high - b.high};
  }
  friend Eight operator*(const Eight& a, const Eight& b) {
    return {a.low * b.low, a.high * b.high};
  }
  friend Eight operator*(const Eight& a, double b) { return {a.low * b, a.high * b}; }
  Eight& operator+=(const Eight& b) { return *this = *this + b; }
  Eight& operator-=(const Eight& b) { return *this = *this - b; }
};

inline Eight all_eight(double x) { return {all(x), all(x)}; }
inline Four low(const Eight& a) { return a.low; }
inline Four high(const Eight& a) { return a.high; }
inline Eight join(Four low, Four high) { return {low, high}; }
inline Eight load(const Lanes& from) {
  Eight a;
  std::memcpy(&a, &from, sizeof(a));
  return a;
}
inline void store(const Eight& a, Lanes& to) { std::memcpy(&to, &a, sizeof(a)); }
inline Eight only_low(const Eight& a) { return {a.low, Four{}}; }
// a but for lane 3.
inline Eight with_fourth(const Eight& a, const Eight& b) {
  return {with_fourth(a.low, b.low), a.high};
}
// [l | a] -> [l | a + arm x l].
struct Arm {
  Four arm;
  explicit Arm(Four lever) : arm(lever) {}
};
inline Eight moved(const Eight& A, const Arm& arm) {
  return {A.low, A.high + cross(arm.arm, with_fourth(A.low, Four{}))};
}
inline void transpose(Four* a) {
  const Four t0 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
  const Four t1 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
  const Four t2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
  const Four t3 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  a[0] = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
  a[3] = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
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

// The sum of all lanes.
inline double sum(const Eight& a) {
  const Four s = low(a) + high(a);
  return (s[0] + s[2]) + (s[1] + s[3]);
}
inline double dot(const Eight& a, const Eight& b) { return sum(a * b); }

// Three lanes from kFirst on, zero elsewhere.
template <int kFirst>
constexpr int lane_from(int lane) {
  return lane >= kFirst && lane < kFirst + 3 ? lane - kFirst : 4;
}
template <int kFirst>
inline Eight three_lanes(Four a) {
  const Four none{};
  return join(__builtin_shufflevector(a, none, lane_from<kFirst>(0), lane_from<kFirst>(1),
                                      lane_from<kFirst>(2), lane_from<kFirst>(3)),
              __builtin_shufflevector(a, none, lane_from<kFirst>(4), lane_from<kFirst>(5),
                                      lane_from<kFirst>(6), lane_from<kFirst>(7)));
}

}  // namespace hamiltree::kernel
