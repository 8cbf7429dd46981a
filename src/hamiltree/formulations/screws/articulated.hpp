// An articulated body in screw frames: what a pin sees of all that is behind it,
//   P = M V + D,     M = [A B; B^T C], linear part first,
// and how M and D change from frame to frame. Turns and shifts along one axis touch few entries,
// and behind a pin the z column of B and of C is exactly zero: nothing is computed there.
#pragma once

#include "hamiltree/formulations/screws/link.hpp"

namespace hamiltree::screws {

template <class T>
struct Vector6 {  // a force with its moment, or a motion
  T x{0}, y{0}, z{0}, a{0}, b{0}, c{0};
};

template <class T>
struct Articulated {
  T Axx{0}, Axy{0}, Axz{0}, Ayy{0}, Ayz{0}, Azz{0};
  T Bxx{0}, Bxy{0}, Bxz{0}, Byx{0}, Byy{0}, Byz{0}, Bzx{0}, Bzy{0}, Bzz{0};  // B is not symmetric
  T Cxx{0}, Cxy{0}, Cxz{0}, Cyy{0}, Cyz{0}, Czz{0};
  Vector6<T> D;
  T mx{0}, my{0}, mz{0};  // first moments of all behind the pin, for gravity
};

// (x, y) <- R (x, y)
template <class T, class K>
[[gnu::always_inline]] inline void turn(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x - s * y;
  y = s * x + c * y;
  x = turned;
}
// (x, y) <- R^T (x, y)
template <class T, class K>
[[gnu::always_inline]] inline void turn_back(T& x, T& y, const K& s, const K& c) {
  const T turned = c * x + s * y;
  y = c * y - s * x;
  x = turned;
}

// A quarter to the right: R (x, y) = (-y, x).
template <class T>
[[gnu::always_inline]] inline void quarter(T& x, T& y) {
  const T turned = -y;
  y = x;
  x = turned;
}
template <class T>
[[gnu::always_inline]] inline void quarter_back(T& x, T& y) {
  const T turned = y;
  y = -x;
  x = turned;
}

// Symmetric and full 2x2 blocks: R b R^T with one product of each entry, from
//   t = s (b_00 - b_11) + c (b_01 + b_10),   difference = b_00 - b_11,   sum = b_01 + b_10
template <class T, class K>
[[gnu::always_inline]] inline void turn_symmetric(T& b00, T& b01, T& b11, const T& difference,
                                                  const K& s, const K& c, const K& twice_c) {
  const T t = s * difference + twice_c * b01;
  const T st = s * t;
  b00 -= st;
  b11 += st;
  b01 = c * t - b01;
}
template <class T, class K>
[[gnu::always_inline]] inline void turn_full(T& b00, T& b01, T& b10, T& b11, const T& difference,
                                             const T& sum, const K& s, const K& c) {
  const T t = s * difference + c * sum;
  const T st = s * t;
  const T ct = c * t;
  b00 -= st;
  b11 += st;
  const T turned = ct - b10;
  b10 = ct - b01;
  b01 = turned;
}

// The rigid body itself.
template <class T, class K>
[[gnu::always_inline]] inline void add_rigid(const Link<K>& link, Articulated<T>& m) {
  m.Axx += T(link.mass);
  m.Ayy += T(link.mass);
  m.Azz += T(link.mass);
  m.Bxz -= T(link.my);
  m.Byz += T(link.mx);
  m.Bzx += T(link.my);
  m.Bzy -= T(link.mx);
  m.Cxx += T(link.Jxx);
  m.Cxy += T(link.Jxy);
  m.Cxz += T(link.Jxz);
  m.Cyz += T(link.Jyz);
  m.Czz += T(link.Jzz);
  m.mx += T(link.mx);
  m.my += T(link.my);
}

// M, D of one child are added to those of another.
template <class T>
[[gnu::always_inline]] inline void add(const Articulated<T>& child, Articulated<T>& m) {
  m.Axx += child.Axx, m.Axy += child.Axy, m.Axz += child.Axz;
  m.Ayy += child.Ayy, m.Ayz += child.Ayz, m.Azz += child.Azz;
  m.Bxx += child.Bxx, m.Bxy += child.Bxy, m.Bxz += child.Bxz;
  m.Byx += child.Byx, m.Byy += child.Byy, m.Byz += child.Byz;
  m.Bzx += child.Bzx, m.Bzy += child.Bzy, m.Bzz += child.Bzz;
  m.Cxx += child.Cxx, m.Cxy += child.Cxy, m.Cxz += child.Cxz;
  m.Cyy += child.Cyy, m.Cyz += child.Cyz, m.Czz += child.Czz;
  m.D.x += child.D.x, m.D.y += child.D.y, m.D.z += child.D.z;
  m.D.a += child.D.a, m.D.b += child.D.b, m.D.c += child.D.c;
  m.mx += child.mx, m.my += child.my, m.mz += child.mz;
}

// Shift along z: B <- B - A r~, then C <- C + r~ B + (r~ B')^T; the z columns stay zero.
template <class T, class K>
[[gnu::always_inline]] inline void shift_z(const K& d, Articulated<T>& m) {
  const T Bxx = m.Bxx - d * m.Axy, Byx = m.Byx - d * m.Ayy, Bzx = m.Bzx - d * m.Ayz;
  const T Bxy = m.Bxy + d * m.Axx, Byy = m.Byy + d * m.Axy, Bzy = m.Bzy + d * m.Axz;
  m.Cxx -= d * (m.Byx + Byx);
  m.Cyy += d * (m.Bxy + Bxy);
  m.Cxy += d * (m.Bxx - Byy);
  m.Bxx = Bxx, m.Byx = Byx, m.Bzx = Bzx;
  m.Bxy = Bxy, m.Byy = Byy, m.Bzy = Bzy;
  m.D.a -= d * m.D.y;
  m.D.b += d * m.D.x;
}

// Shift along x, all columns.
template <class T, class K>
[[gnu::always_inline]] inline void shift_x(const K& a, Articulated<T>& m) {
  const T Bxy = m.Bxy - a * m.Axz, Byy = m.Byy - a * m.Ayz, Bzy = m.Bzy - a * m.Azz;
  const T Bxz = m.Bxz + a * m.Axy, Byz = m.Byz + a * m.Ayy, Bzz = m.Bzz + a * m.Ayz;
  m.Cyy -= a * (m.Bzy + Bzy);
  m.Czz += a * (m.Byz + Byz);
  m.Cyz += a * (m.Byy - Bzz);
  m.Cxy -= a * m.Bzx;
  m.Cxz += a * m.Byx;
  m.Bxy = Bxy, m.Byy = Byy, m.Bzy = Bzy;
  m.Bxz = Bxz, m.Byz = Byz, m.Bzz = Bzz;
  m.D.b -= a * m.D.z;
  m.D.c += a * m.D.y;
}

// Turn about x by any constant angle; the z columns were zero and are filled.
template <class T, class K>
[[gnu::always_inline]] inline void turn_x(const Link<K>& link, Articulated<T>& m) {
  const K &s = link.sin_alpha, &c = link.cos_alpha;
  turn(m.Axy, m.Axz, s, c);
  {
    const T tau = link.sin2 * (m.Ayy - m.Azz) + link.twice_sin_cos * m.Ayz;
    m.Ayy -= tau;
    m.Azz += tau;
    m.Ayz = link.cot * tau - m.Ayz;
  }
  turn(m.Byx, m.Bzx, s, c);
  m.Bxz = s * m.Bxy;
  m.Bxy = c * m.Bxy;
  {
    const T tau = link.sin2 * m.Byy + link.sin_cos * m.Bzy;
    const T cot_tau = link.cot * tau;
    m.Byy -= tau;
    m.Bzz = tau;
    m.Byz = cot_tau - m.Bzy;
    m.Bzy = cot_tau;
  }
  m.Cxz = s * m.Cxy;
  m.Cxy = c * m.Cxy;
  m.Cyz = link.sin_cos * m.Cyy;
  m.Czz = link.sin2 * m.Cyy;
  m.Cyy = link.cos2 * m.Cyy;
  turn(m.D.y, m.D.z, s, c);
  turn(m.D.b, m.D.c, s, c);
}

// Turn about x by a quarter; back: by minus a quarter.
template <bool kBack, class T>
[[gnu::always_inline]] inline void quarter_x(Articulated<T>& m) {
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
  vector(m.D.y, m.D.z);
  vector(m.D.b, m.D.c);
}

}  // namespace hamiltree::screws
