// From the frame of a revolute to that of the revolute before it, and back: turns and shifts along
// one axis touch few entries of an inertia, and behind a revolute the z columns of B and C are
// exactly zero: nothing is computed there.
#pragma once

#include <array>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/articulated.hpp"

namespace hamiltree::dh_frames {

// The steps of a link case; mixed ones and branches take any.
constexpr bool is_mixed(int link_case) {
  return link_case == kMixedCase || link_case == kBranchCase;
}
constexpr int screw_of(int link_case) {
  return link_case == kPlaneBranchCase ? kAlongX : link_case;
}
constexpr Twist twist_of(int link_case) {
  return is_mixed(link_case) ? Twist::kAny : static_cast<Twist>(screw_of(link_case) & kTwistBits);
}
constexpr bool goes_along_x(int link_case) {
  return is_mixed(link_case) || (screw_of(link_case) & kAlongX) != 0;
}
constexpr bool goes_along_z(int link_case) {
  return is_mixed(link_case) || (screw_of(link_case) & kAlongZ) != 0;
}

// (x, y) <- R (x, y)
template <class T, class K>
inline void rotate(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x - s * y;
  y = s * x + c * y;
  x = turned;
}
// (x, y) <- R^T (x, y)
template <class T, class K>
inline void rotate_back(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x + s * y;
  y = c * y - s * x;
  x = turned;
}

// A quarter to the right: R (x, y) = (-y, x).
template <class T>
inline void rotate_90(T& x, T& y) {
  const T turned = -y;
  y = x;
  x = turned;
}
template <class T>
inline void rotate_90_back(T& x, T& y) {
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
inline void rotate_full(T& b00, T& b01, T& b10, T& b11, const K& s, const K& c) {
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
inline void rotate(T& x, T& y, T& z, const std::array<K, 9>& R) {
  const T X = R[0] * x + R[1] * y + R[2] * z;
  const T Y = R[3] * x + R[4] * y + R[5] * z;
  z = R[6] * x + R[7] * y + R[8] * z;
  x = X, y = Y;
}
template <class T, class K>
inline void rotate_back(T& x, T& y, Zero&, const std::array<K, 9>& R) {
  rotate_back(x, y, R[3], R[0]);
}
template <class T, class K>
inline void rotate_back(T& x, T& y, T& z, const std::array<K, 9>& R) {
  const T X = R[0] * x + R[3] * y + R[6] * z;
  const T Y = R[1] * x + R[4] * y + R[7] * z;
  z = R[2] * x + R[5] * y + R[8] * z;
  x = X, y = Y;
}

// The constant turn about x of a link case, of two components.
template <int kCase, class T, class O, class K>
inline void rotate_x(const Revolute<K>& revolute, T& y, O& z) {
  constexpr auto kTwist = twist_of(kCase);
  if constexpr (kTwist == Twist::kAny) rotate(y, z, revolute.sin_alpha, revolute.cos_alpha);
  if constexpr (kTwist == Twist::kRight) rotate_90(y, z);
  if constexpr (kTwist == Twist::kLeft) rotate_90_back(y, z);
}
template <int kCase, class T, class O, class K>
inline void rotate_x_back(const Revolute<K>& revolute, T& y, O& z) {
  constexpr auto kTwist = twist_of(kCase);
  if constexpr (kTwist == Twist::kAny) rotate_back(y, z, revolute.sin_alpha, revolute.cos_alpha);
  if constexpr (kTwist == Twist::kRight) rotate_90_back(y, z);
  if constexpr (kTwist == Twist::kLeft) rotate_90(y, z);
}

// Rz(theta): the z columns of B and C are zero behind a revolute, and stay so.
template <class T, class O>
inline void rotate_z(const T& s, const T& c, Articulated<T, O>& m) {
  const T twice_c = c + c;
  turn_symmetric(m.Axx, m.Axy, m.Ayy, s, c, twice_c);
  rotate(m.Axz, m.Ayz, s, c);
  rotate_full(m.Bxx, m.Bxy, m.Byx, m.Byy, s, c);
  rotate(m.Bzx, m.Bzy, s, c);
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

// Rotation about x by any constant angle, be it none; the z columns were zero and are filled.
template <class T, class K>
inline void rotate_x_mixed(const Revolute<K>& revolute, Articulated<T>& m) {
  const K &s = revolute.sin_alpha, &c = revolute.cos_alpha;
  rotate(m.Axy, m.Axz, s, c);
  turn_symmetric(m.Ayy, m.Ayz, m.Azz, s, c, revolute.cos_alpha + revolute.cos_alpha);
  rotate(m.Byx, m.Bzx, s, c);
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
inline void rotate_x(const Revolute<K>& revolute, Articulated<T>& m) {
  const K &s = revolute.sin_alpha, &c = revolute.cos_alpha;
  rotate(m.Axy, m.Axz, s, c);
  {
    const T tau = revolute.sin2 * (m.Ayy - m.Azz) + revolute.twice_sin_cos * m.Ayz;
    m.Ayy -= tau;
    m.Azz += tau;
    m.Ayz = revolute.cot * tau - m.Ayz;
  }
  rotate(m.Byx, m.Bzx, s, c);
  m.Bxz = s * m.Bxy;
  m.Bxy = c * m.Bxy;
  {
    const T tau = revolute.sin2 * m.Byy + revolute.sin_cos * m.Bzy;
    const T cot_tau = revolute.cot * tau;
    m.Byy -= tau;
    m.Bzz = tau;
    m.Byz = cot_tau - m.Bzy;
    m.Bzy = cot_tau;
  }
  m.Cxz = s * m.Cxy;
  m.Cxy = c * m.Cxy;
  m.Cyz = revolute.sin_cos * m.Cyy;
  m.Czz = revolute.sin2 * m.Cyy;
  m.Cyy = revolute.cos2 * m.Cyy;
}

// Rz(beta) Tz(b), all columns.
template <class T, class O, class K>
inline void rotate_off(const Revolute<K>& revolute, Articulated<T, O>& m) {
  rotate_z(T(revolute.sin_beta), T(revolute.cos_beta), m);
  rotate(m.Bxz, m.Byz, revolute.sin_beta, revolute.cos_beta);
  rotate(m.Cxz, m.Cyz, revolute.sin_beta, revolute.cos_beta);
}
template <class T, class K>
inline void branch_off(const Revolute<K>& revolute, Articulated<T>& m) {
  rotate_off(revolute, m);
  m.Cxz -= revolute.b * m.Byz;
  m.Cyz += revolute.b * m.Bxz;
  shift_z(revolute.b, m);
}

// Rotation about x by a quarter; back: by minus a quarter.
template <bool kBack, class T>
inline void rotate_90_x(Articulated<T>& m) {
  const auto vector = [](T& y, T& z) { kBack ? rotate_90_back(y, z) : rotate_90(y, z); };
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
inline void place(const Revolute<K>& revolute, Articulated<T>& m) {
  const auto& R = revolute.R;
  // A, B, C by R . R^T, row by row
  const auto row = [&](int i, const T& x, const T& y, const T& z) {
    return R[at(3 * i)] * x + R[at(3 * i + 1)] * y + R[at(3 * i + 2)] * z;
  };
  T A[3][3] = {{m.Axx, m.Axy, m.Axz}, {m.Axy, m.Ayy, m.Ayz}, {m.Axz, m.Ayz, m.Azz}};
  T B[3][3] = {{m.Bxx, m.Bxy, T(0)}, {m.Byx, m.Byy, T(0)}, {m.Bzx, m.Bzy, T(0)}};
  T C[3][3] = {{m.Cxx, m.Cxy, T(0)}, {m.Cxy, m.Cyy, T(0)}, {T(0), T(0), T(0)}};
  const auto rotate_block = [&](T(&M)[3][3]) {
    T half[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) half[i][j] = row(i, M[0][j], M[1][j], M[2][j]);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) M[i][j] = row(j, half[i][0], half[i][1], half[i][2]);
    }
  };
  rotate_block(A);
  rotate_block(B);
  rotate_block(C);
  // B <- B - A r~, then C <- C + r~ B_before + (r~ B)^T
  const auto& r = revolute.r;
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

// The parts of an articulated body from the frame of a revolute, turned by theta, to that of the
// revolute before it.
template <int kCase, class T, class O, class K>
inline void carry_inertia(const Revolute<K>& revolute, const T& s, const T& c,
                          Articulated<T, O>& m) {
  rotate_z(s, c, m);
  if constexpr (kCase == kAnyCase) {
    place(revolute, m);
  } else {
    constexpr auto kTwist = twist_of(kCase);
    if constexpr (goes_along_z(kCase)) shift_z(revolute.d, m);
    if constexpr (is_mixed(kCase)) {
      rotate_x_mixed(revolute, m);
    } else if constexpr (kTwist == Twist::kAny) {
      rotate_x(revolute, m);
    }
    if constexpr (kTwist == Twist::kRight) rotate_90_x<false>(m);
    if constexpr (kTwist == Twist::kLeft) rotate_90_x<true>(m);
    if constexpr (kTwist == Twist::kNone) {
      m.Bxz = m.Byz = m.Czz = T(0);
      m.Bzz = m.Cxz = m.Cyz = O(0);
    }
    if constexpr (goes_along_x(kCase)) shift_x(revolute.a, m);
    if constexpr (kCase == kBranchCase) branch_off(revolute, m);
    if constexpr (kCase == kPlaneBranchCase) rotate_off(revolute, m);
  }
}

// A force with its moment, or D.
template <int kCase, class T, class O, class K>
inline void carry_force(const Revolute<K>& revolute, const T& s, const T& c, Vector6<T, O>& F) {
  rotate(F.x, F.y, s, c);
  rotate(F.a, F.b, s, c);
  if constexpr (kCase == kAnyCase) {
    const auto& r = revolute.r;
    rotate(F.x, F.y, F.z, revolute.R);
    rotate(F.a, F.b, F.c, revolute.R);
    F.a += r[1] * F.z - r[2] * F.y;
    F.b += r[2] * F.x - r[0] * F.z;
    F.c += r[0] * F.y - r[1] * F.x;
  } else {
    if constexpr (goes_along_z(kCase)) F.a -= revolute.d * F.y, F.b += revolute.d * F.x;
    rotate_x<kCase>(revolute, F.y, F.z);
    rotate_x<kCase>(revolute, F.b, F.c);
    if constexpr (goes_along_x(kCase)) F.b -= revolute.a * F.z, F.c += revolute.a * F.y;
    if constexpr (kCase == kBranchCase) {
      rotate(F.x, F.y, revolute.sin_beta, revolute.cos_beta);
      rotate(F.a, F.b, revolute.sin_beta, revolute.cos_beta);
      F.a -= revolute.b * F.y, F.b += revolute.b * F.x;
    }
    if constexpr (kCase == kPlaneBranchCase) rotate(F.x, F.y, revolute.sin_beta, revolute.cos_beta);
  }
}

// First moments: of all behind the revolute, about the frame's origin.
template <int kCase, class T, class O, class K>
inline void carry_moments(const Revolute<K>& revolute, const T& s, const T& c,
                          Articulated<T, O>& m) {
  rotate(m.mx, m.my, s, c);
  if constexpr (kCase == kAnyCase) {
    rotate(m.mx, m.my, m.mz, revolute.R);
    m.mx += T(revolute.r_mass[0]), m.my += T(revolute.r_mass[1]), m.mz += T(revolute.r_mass[2]);
  } else {
    if constexpr (goes_along_z(kCase)) m.mz += T(revolute.d_mass);
    rotate_x<kCase>(revolute, m.my, m.mz);
    if constexpr (goes_along_x(kCase)) m.mx += T(revolute.a_mass);
    if constexpr (kCase == kBranchCase) {
      rotate(m.mx, m.my, revolute.sin_beta, revolute.cos_beta);
      m.mz += T(revolute.b_mass);
    }
    if constexpr (kCase == kPlaneBranchCase)
      rotate(m.mx, m.my, revolute.sin_beta, revolute.cos_beta);
  }
}

// A motion from the frame of the revolute before to a revolute's own, before it turns itself.
template <int kCase, class T, class O, class K>
inline void carry_motion(const Revolute<K>& revolute, const T& s, const T& c, Vector6<T, O>& V) {
  if constexpr (kCase == kAnyCase) {
    const auto& r = revolute.r;
    V.x += V.b * r[2] - V.c * r[1];
    V.y += V.c * r[0] - V.a * r[2];
    V.z += V.a * r[1] - V.b * r[0];
    rotate_back(V.x, V.y, V.z, revolute.R);
    rotate_back(V.a, V.b, V.c, revolute.R);
  } else {
    if constexpr (kCase == kBranchCase) {
      V.x += revolute.b * V.b, V.y -= revolute.b * V.a;
      rotate_back(V.x, V.y, revolute.sin_beta, revolute.cos_beta);
      rotate_back(V.a, V.b, revolute.sin_beta, revolute.cos_beta);
    }
    if constexpr (kCase == kPlaneBranchCase)
      rotate_back(V.x, V.y, revolute.sin_beta, revolute.cos_beta);
    if constexpr (goes_along_x(kCase)) V.y += revolute.a * V.c, V.z -= revolute.a * V.b;
    rotate_x_back<kCase>(revolute, V.y, V.z);
    rotate_x_back<kCase>(revolute, V.b, V.c);
    if constexpr (goes_along_z(kCase)) V.x += revolute.d * V.b, V.y -= revolute.d * V.a;
  }
  rotate_back(V.x, V.y, s, c);
  rotate_back(V.a, V.b, s, c);
}

// A vector, gravity, the same link_case; from the world to the frame of a root.
template <int kCase, class T, class O, class K>
inline void carry_vector(const Revolute<K>& revolute, const T& s, const T& c, T& x, T& y, O& z) {
  if constexpr (kCase == kAnyCase || kCase == kRoot) {
    rotate_back(x, y, z, revolute.R);
  } else {
    if constexpr (kCase == kBranchCase || kCase == kPlaneBranchCase)
      rotate_back(x, y, revolute.sin_beta, revolute.cos_beta);
    rotate_x_back<kCase>(revolute, y, z);
  }
  rotate_back(x, y, s, c);
}

}  // namespace hamiltree::dh_frames
