// From the frame of a pin to that of the pin before it, and back: turns and shifts along one axis
// touch few entries of an inertia, and behind a pin the z columns of B and C are exactly zero:
// nothing is computed there.
#pragma once

#include <array>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/articulated.hpp"

namespace hamiltree::screws {

// What a way does, mixed ones and branches anything.
constexpr bool is_mixed(int way) { return way == kMixedWay || way == kBranchWay; }
constexpr int screw_of(int way) { return way == kPlaneBranchWay ? kAlongX : way; }
constexpr Turn turn_of(int way) {
  return is_mixed(way) ? Turn::kAny : static_cast<Turn>(screw_of(way) & kTurnBits);
}
constexpr bool goes_along_x(int way) { return is_mixed(way) || (screw_of(way) & kAlongX) != 0; }
constexpr bool goes_along_z(int way) { return is_mixed(way) || (screw_of(way) & kAlongZ) != 0; }

// (x, y) <- R (x, y)
template <class T, class K>
inline void turn(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x - s * y;
  y = s * x + c * y;
  x = turned;
}
// (x, y) <- R^T (x, y)
template <class T, class K>
inline void turn_back(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x + s * y;
  y = c * y - s * x;
  x = turned;
}

// A quarter to the right: R (x, y) = (-y, x).
template <class T>
inline void quarter(T& x, T& y) {
  const T turned = -y;
  y = x;
  x = turned;
}
template <class T>
inline void quarter_back(T& x, T& y) {
  const T turned = y;
  y = -x;
  x = turned;
}

// Symmetric and full 2x2 blocks: R b R^T from
//   t = s (b_00 - b_11) + c (b_01 + b_10)
template <class T, class K>
inline void turn_symmetric(T& b00, T& b01, T& b11, const K& s, const K& c, const K& twice_c) {
  const T t = s * (b00 - b11) + twice_c * b01;
  const T st = s * t;
  b00 -= st;
  b11 += st;
  b01 = c * t - b01;
}
template <class T, class K>
inline void turn_full(T& b00, T& b01, T& b10, T& b11, const K& s, const K& c) {
  const T t = s * (b00 - b11) + c * (b01 + b10);
  const T st = s * t;
  const T ct = c * t;
  b00 -= st;
  b11 += st;
  const T turned = ct - b10;
  b10 = ct - b01;
  b01 = turned;
}

// (x, y, z) <- R (x, y, z), R row by row.
template <class T, class K>
inline void turn(T& x, T& y, T& z, const std::array<K, 9>& R) {
  const T X = R[0] * x + R[1] * y + R[2] * z;
  const T Y = R[3] * x + R[4] * y + R[5] * z;
  z = R[6] * x + R[7] * y + R[8] * z;
  x = X, y = Y;
}
template <class T, class K>
inline void turn_back(T& x, T& y, Zero&, const std::array<K, 9>& R) {
  turn_back(x, y, R[3], R[0]);
}
template <class T, class K>
inline void turn_back(T& x, T& y, T& z, const std::array<K, 9>& R) {
  const T X = R[0] * x + R[3] * y + R[6] * z;
  const T Y = R[1] * x + R[4] * y + R[7] * z;
  z = R[2] * x + R[5] * y + R[8] * z;
  x = X, y = Y;
}

// The constant turn about x of a way, of two components.
template <int kWay, class T, class O, class K>
inline void turn_x(const Pin<K>& pin, T& y, O& z) {
  constexpr auto kTurn = turn_of(kWay);
  if constexpr (kTurn == Turn::kAny) turn(y, z, pin.sin_alpha, pin.cos_alpha);
  if constexpr (kTurn == Turn::kRight) quarter(y, z);
  if constexpr (kTurn == Turn::kLeft) quarter_back(y, z);
}
template <int kWay, class T, class O, class K>
inline void turn_x_back(const Pin<K>& pin, T& y, O& z) {
  constexpr auto kTurn = turn_of(kWay);
  if constexpr (kTurn == Turn::kAny) turn_back(y, z, pin.sin_alpha, pin.cos_alpha);
  if constexpr (kTurn == Turn::kRight) quarter_back(y, z);
  if constexpr (kTurn == Turn::kLeft) quarter(y, z);
}

// Rz(theta): the z columns of B and C are zero behind a pin, and stay so.
template <class T, class O>
inline void turn_z(const T& s, const T& c, Articulated<T, O>& m) {
  const T twice_c = c + c;
  turn_symmetric(m.Axx, m.Axy, m.Ayy, s, c, twice_c);
  turn(m.Axz, m.Ayz, s, c);
  turn_full(m.Bxx, m.Bxy, m.Byx, m.Byy, s, c);
  turn(m.Bzx, m.Bzy, s, c);
  turn_symmetric(m.Cxx, m.Cxy, m.Cyy, s, c, twice_c);
}

// Shift along z: B <- B - A r~, then C <- C + r~ B + (r~ B')^T; the z columns stay zero.
template <class T, class K>
inline void shift_z(const K& d, Articulated<T>& m) {
  const T Bxx = m.Bxx - d * m.Axy, Byx = m.Byx - d * m.Ayy, Bzx = m.Bzx - d * m.Ayz;
  const T Bxy = m.Bxy + d * m.Axx, Byy = m.Byy + d * m.Axy, Bzy = m.Bzy + d * m.Axz;
  m.Cxx -= d * (m.Byx + Byx);
  m.Cyy += d * (m.Bxy + Bxy);
  m.Cxy += d * (m.Bxx - Byy);
  m.Bxx = Bxx, m.Byx = Byx, m.Bzx = Bzx;
  m.Bxy = Bxy, m.Byy = Byy, m.Bzy = Bzy;
}

// Shift along x, all columns.
template <class T, class O, class K>
inline void shift_x(const K& a, Articulated<T, O>& m) {
  const O Bxy = m.Bxy - a * m.Axz, Byy = m.Byy - a * m.Ayz, Bzy = m.Bzy - a * m.Azz;
  const T Bxz = m.Bxz + a * m.Axy, Byz = m.Byz + a * m.Ayy;
  const O Bzz = m.Bzz + a * m.Ayz;
  m.Cyy -= a * (m.Bzy + Bzy);
  m.Czz += a * (m.Byz + Byz);
  m.Cyz += a * (m.Byy - Bzz);
  m.Cxy -= a * m.Bzx;
  m.Cxz += a * m.Byx;
  m.Bxy = Bxy, m.Byy = Byy, m.Bzy = Bzy;
  m.Bxz = Bxz, m.Byz = Byz, m.Bzz = Bzz;
}

// Turn about x by any constant angle, be it none; the z columns were zero and are filled.
template <class T, class K>
inline void turn_x_mixed(const Pin<K>& pin, Articulated<T>& m) {
  const K &s = pin.sin_alpha, &c = pin.cos_alpha;
  turn(m.Axy, m.Axz, s, c);
  turn_symmetric(m.Ayy, m.Ayz, m.Azz, s, c, pin.cos_alpha + pin.cos_alpha);
  turn(m.Byx, m.Bzx, s, c);
  m.Bxz = s * m.Bxy;
  m.Bxy = c * m.Bxy;
  {
    const T t = s * m.Byy + c * m.Bzy;
    m.Bzz = s * t;
    m.Byy -= m.Bzz;
    m.Byz = c * t - m.Bzy;
    m.Bzy = c * t;
  }
  m.Cxz = s * m.Cxy;
  m.Cxy = c * m.Cxy;
  {
    const T t = s * m.Cyy;
    m.Cyz = c * t;
    m.Czz = s * t;
    m.Cyy -= m.Czz;
  }
}

// The same by an angle that is no multiple of a right one.
template <class T, class K>
inline void turn_x(const Pin<K>& pin, Articulated<T>& m) {
  const K &s = pin.sin_alpha, &c = pin.cos_alpha;
  turn(m.Axy, m.Axz, s, c);
  {
    const T tau = pin.sin2 * (m.Ayy - m.Azz) + pin.twice_sin_cos * m.Ayz;
    m.Ayy -= tau;
    m.Azz += tau;
    m.Ayz = pin.cot * tau - m.Ayz;
  }
  turn(m.Byx, m.Bzx, s, c);
  m.Bxz = s * m.Bxy;
  m.Bxy = c * m.Bxy;
  {
    const T tau = pin.sin2 * m.Byy + pin.sin_cos * m.Bzy;
    const T cot_tau = pin.cot * tau;
    m.Byy -= tau;
    m.Bzz = tau;
    m.Byz = cot_tau - m.Bzy;
    m.Bzy = cot_tau;
  }
  m.Cxz = s * m.Cxy;
  m.Cxy = c * m.Cxy;
  m.Cyz = pin.sin_cos * m.Cyy;
  m.Czz = pin.sin2 * m.Cyy;
  m.Cyy = pin.cos2 * m.Cyy;
}

// Rz(beta) Tz(b), all columns.
template <class T, class O, class K>
inline void turn_off(const Pin<K>& pin, Articulated<T, O>& m) {
  turn_z(T(pin.sin_beta), T(pin.cos_beta), m);
  turn(m.Bxz, m.Byz, pin.sin_beta, pin.cos_beta);
  turn(m.Cxz, m.Cyz, pin.sin_beta, pin.cos_beta);
}
template <class T, class K>
inline void branch_off(const Pin<K>& pin, Articulated<T>& m) {
  turn_off(pin, m);
  m.Cxz -= pin.b * m.Byz;
  m.Cyz += pin.b * m.Bxz;
  shift_z(pin.b, m);
}

// Turn about x by a quarter; back: by minus a quarter.
template <bool kBack, class T>
inline void quarter_x(Articulated<T>& m) {
  const auto vector = [](T& y, T& z) { kBack ? quarter_back(y, z) : quarter(y, z); };
  vector(m.Axy, m.Axz);
  const T Ayy = m.Ayy;
  m.Ayy = m.Azz;
  m.Azz = Ayy;
  m.Ayz = -m.Ayz;
  vector(m.Byx, m.Bzx);
  m.Bxz = kBack ? -m.Bxy : m.Bxy;
  m.Bxy = T(0);
  m.Bzz = m.Byy;
  m.Byz = -m.Bzy;
  m.Byy = m.Bzy = T(0);
  m.Cxz = kBack ? -m.Cxy : m.Cxy;
  m.Czz = m.Cyy;
  m.Cxy = m.Cyy = m.Cyz = T(0);
}

// By any constant placement [R, r], all entries; the z columns of B and C were zero.
template <class T, class K>
inline void place(const Pin<K>& pin, Articulated<T>& m) {
  const auto& R = pin.R;
  // A, B, C by R . R^T, row by row
  const auto row = [&](int i, const T& x, const T& y, const T& z) {
    return R[at(3 * i)] * x + R[at(3 * i + 1)] * y + R[at(3 * i + 2)] * z;
  };
  T A[3][3] = {{m.Axx, m.Axy, m.Axz}, {m.Axy, m.Ayy, m.Ayz}, {m.Axz, m.Ayz, m.Azz}};
  T B[3][3] = {{m.Bxx, m.Bxy, T(0)}, {m.Byx, m.Byy, T(0)}, {m.Bzx, m.Bzy, T(0)}};
  T C[3][3] = {{m.Cxx, m.Cxy, T(0)}, {m.Cxy, m.Cyy, T(0)}, {T(0), T(0), T(0)}};
  const auto turn_block = [&](T(&M)[3][3]) {
    T half[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) half[i][j] = row(i, M[0][j], M[1][j], M[2][j]);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M[i][j] = row(j, half[i][0], half[i][1], half[i][2]);
    }
  };
  turn_block(A);
  turn_block(B);
  turn_block(C);
  // B <- B - A r~, then C <- C + r~ B_before + (r~ B)^T
  const auto& r = pin.r;
  const K S[3][3] = {{K(0), -r[2], r[1]}, {r[2], K(0), -r[0]}, {-r[1], r[0], K(0)}};
  T shifted[3][3], lower[3][3], upper[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      shifted[i][j] = B[i][j] - (A[i][0] * S[0][j] + A[i][1] * S[1][j] + A[i][2] * S[2][j]);
      lower[i][j] = S[i][0] * B[0][j] + S[i][1] * B[1][j] + S[i][2] * B[2][j];
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      upper[i][j] = S[i][0] * shifted[0][j] + S[i][1] * shifted[1][j] + S[i][2] * shifted[2][j];
  }
  m.Axx = A[0][0], m.Axy = A[0][1], m.Axz = A[0][2], m.Ayy = A[1][1], m.Ayz = A[1][2];
  m.Azz = A[2][2];
  m.Bxx = shifted[0][0], m.Bxy = shifted[0][1], m.Bxz = shifted[0][2];
  m.Byx = shifted[1][0], m.Byy = shifted[1][1], m.Byz = shifted[1][2];
  m.Bzx = shifted[2][0], m.Bzy = shifted[2][1], m.Bzz = shifted[2][2];
  const auto sum = [&](int i, int j) { return C[i][j] + lower[i][j] + upper[j][i]; };
  m.Cxx = sum(0, 0), m.Cxy = sum(0, 1), m.Cxz = sum(0, 2);
  m.Cyy = sum(1, 1), m.Cyz = sum(1, 2), m.Czz = sum(2, 2);
}

// The parts of an articulated body from the frame of a pin, turned by theta, to that of the pin
// before it.
template <int kWay, class T, class O, class K>
inline void carry_inertia(const Pin<K>& pin, const T& s, const T& c, Articulated<T, O>& m) {
  turn_z(s, c, m);
  if constexpr (kWay == kAnyWay) {
    place(pin, m);
  } else {
    constexpr auto kTurn = turn_of(kWay);
    if constexpr (goes_along_z(kWay)) shift_z(pin.d, m);
    if constexpr (is_mixed(kWay)) {
      turn_x_mixed(pin, m);
    } else if constexpr (kTurn == Turn::kAny) {
      turn_x(pin, m);
    }
    if constexpr (kTurn == Turn::kRight) quarter_x<false>(m);
    if constexpr (kTurn == Turn::kLeft) quarter_x<true>(m);
    if constexpr (kTurn == Turn::kNone) {
      m.Bxz = m.Byz = m.Czz = T(0);
      m.Bzz = m.Cxz = m.Cyz = O(0);
    }
    if constexpr (goes_along_x(kWay)) shift_x(pin.a, m);
    if constexpr (kWay == kBranchWay) branch_off(pin, m);
    if constexpr (kWay == kPlaneBranchWay) turn_off(pin, m);
  }
}

// A force with its moment, or D.
template <int kWay, class T, class O, class K>
inline void carry_force(const Pin<K>& pin, const T& s, const T& c, Vector6<T, O>& F) {
  turn(F.x, F.y, s, c);
  turn(F.a, F.b, s, c);
  if constexpr (kWay == kAnyWay) {
    const auto& r = pin.r;
    turn(F.x, F.y, F.z, pin.R);
    turn(F.a, F.b, F.c, pin.R);
    F.a += r[1] * F.z - r[2] * F.y;
    F.b += r[2] * F.x - r[0] * F.z;
    F.c += r[0] * F.y - r[1] * F.x;
  } else {
    if constexpr (goes_along_z(kWay)) F.a -= pin.d * F.y, F.b += pin.d * F.x;
    turn_x<kWay>(pin, F.y, F.z);
    turn_x<kWay>(pin, F.b, F.c);
    if constexpr (goes_along_x(kWay)) F.b -= pin.a * F.z, F.c += pin.a * F.y;
    if constexpr (kWay == kBranchWay) {
      turn(F.x, F.y, pin.sin_beta, pin.cos_beta);
      turn(F.a, F.b, pin.sin_beta, pin.cos_beta);
      F.a -= pin.b * F.y, F.b += pin.b * F.x;
    }
    if constexpr (kWay == kPlaneBranchWay) turn(F.x, F.y, pin.sin_beta, pin.cos_beta);
  }
}

// First moments: of all behind the pin, about the frame's origin.
template <int kWay, class T, class O, class K>
inline void carry_moments(const Pin<K>& pin, const T& s, const T& c, Articulated<T, O>& m) {
  turn(m.mx, m.my, s, c);
  if constexpr (kWay == kAnyWay) {
    turn(m.mx, m.my, m.mz, pin.R);
    m.mx += T(pin.r_mass[0]), m.my += T(pin.r_mass[1]), m.mz += T(pin.r_mass[2]);
  } else {
    if constexpr (goes_along_z(kWay)) m.mz += T(pin.d_mass);
    turn_x<kWay>(pin, m.my, m.mz);
    if constexpr (goes_along_x(kWay)) m.mx += T(pin.a_mass);
    if constexpr (kWay == kBranchWay) {
      turn(m.mx, m.my, pin.sin_beta, pin.cos_beta);
      m.mz += T(pin.b_mass);
    }
    if constexpr (kWay == kPlaneBranchWay) turn(m.mx, m.my, pin.sin_beta, pin.cos_beta);
  }
}

// A motion from the frame of the pin before to a pin's own, before it turns itself.
template <int kWay, class T, class O, class K>
inline void carry_motion(const Pin<K>& pin, const T& s, const T& c, Vector6<T, O>& V) {
  if constexpr (kWay == kAnyWay) {
    const auto& r = pin.r;
    V.x += V.b * r[2] - V.c * r[1];
    V.y += V.c * r[0] - V.a * r[2];
    V.z += V.a * r[1] - V.b * r[0];
    turn_back(V.x, V.y, V.z, pin.R);
    turn_back(V.a, V.b, V.c, pin.R);
  } else {
    if constexpr (kWay == kBranchWay) {
      V.x += pin.b * V.b, V.y -= pin.b * V.a;
      turn_back(V.x, V.y, pin.sin_beta, pin.cos_beta);
      turn_back(V.a, V.b, pin.sin_beta, pin.cos_beta);
    }
    if constexpr (kWay == kPlaneBranchWay) turn_back(V.x, V.y, pin.sin_beta, pin.cos_beta);
    if constexpr (goes_along_x(kWay)) V.y += pin.a * V.c, V.z -= pin.a * V.b;
    turn_x_back<kWay>(pin, V.y, V.z);
    turn_x_back<kWay>(pin, V.b, V.c);
    if constexpr (goes_along_z(kWay)) V.x += pin.d * V.b, V.y -= pin.d * V.a;
  }
  turn_back(V.x, V.y, s, c);
  turn_back(V.a, V.b, s, c);
}

// A vector, gravity, the same way; from the world to the frame of a root.
template <int kWay, class T, class O, class K>
inline void carry_vector(const Pin<K>& pin, const T& s, const T& c, T& x, T& y, O& z) {
  if constexpr (kWay == kAnyWay || kWay == kRoot) {
    turn_back(x, y, z, pin.R);
  } else {
    if constexpr (kWay == kBranchWay || kWay == kPlaneBranchWay)
      turn_back(x, y, pin.sin_beta, pin.cos_beta);
    turn_x_back<kWay>(pin, y, z);
  }
  turn_back(x, y, s, c);
}

}  // namespace hamiltree::screws
