// The two passes of the recursive algorithm [Naudet2003] for a tree of pins in screw frames, with
// one addition or multiplication for each that is needed. T is the scalar of the state, K that of
// the constants.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/articulated.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::screws {

enum class Loads { kNone, kGravity, kWrenches };

// What the outward pass needs of a link.
template <class T>
struct Eliminated {
  T Wx{0}, Wy{0}, Wz{0}, Wa{0}, Wb{0}, u{0};  // of the pin: rate = u - W . V
  T eA{0}, eB{0}, eC{0}, sB{0};  // A_xx - A_yy, B_xx - B_yy, C_xx - C_yy, B_xy + B_yx behind it
  T Axy{0}, Axz{0}, Ayz{0}, Bzx{0}, Bzy{0}, Cxy{0}, Dx{0}, Dy{0}, Da{0}, Db{0};
  T load_x{0}, load_y{0};  // first moments; of wrenches the moment about the pin in load_x
};

template <class T>
struct Moving {
  Vector6<T> V;           // of the frame's origin, in its axes
  T gx{0}, gy{0}, gz{0};  // gravity in its axes
};

template <class T>
struct ScrewWork {
  // For a tree of so many links, of which so many branch; there is room for whole packs.
  void resize(std::size_t count, std::size_t branchings) {
    links.resize(count);
    for (auto* values : {&theta, &s, &c, &p, &v, &p_dot}) values->resize(count + kLanes);
    sums.resize(branchings);
    wrench_sums.resize(branchings);
    branches.resize(branchings);
  }

  std::vector<Eliminated<T>> links;
  std::vector<T> theta, s, c;        // angles, their sines and cosines
  std::vector<T> p, v, p_dot;        // of the pins
  std::vector<Articulated<T>> sums;  // at links with several children
  std::vector<Vector6<T>> wrench_sums;
  std::vector<Moving<T>> branches;
};

// The pin is eliminated, p its momentum [Naudet2003 eqs. 46-48]:
//   (1)  W = M e_c / C_zz,   u = (p - D_c) / C_zz
//   (2)  M <- M - C_zz W W^T,   D <- D + C_zz W u,   of which the pin's rows are 0 and p exactly
template <class T>
[[gnu::always_inline]] inline void eliminate(const T& p, Articulated<T>& m, Eliminated<T>& out) {
  // (1)
  const T inverse = T(1) / m.Czz;
  const T Wx = m.Bxz * inverse, Wy = m.Byz * inverse, Wz = m.Bzz * inverse;
  const T Wa = m.Cxz * inverse, Wb = m.Cyz * inverse;
  const T u = (p - m.D.c) * inverse;
  out.Wx = Wx, out.Wy = Wy, out.Wz = Wz, out.Wa = Wa, out.Wb = Wb, out.u = u;
  // (2)
  m.Axx -= m.Bxz * Wx, m.Axy -= m.Bxz * Wy, m.Axz -= m.Bxz * Wz;
  m.Ayy -= m.Byz * Wy, m.Ayz -= m.Byz * Wz, m.Azz -= m.Bzz * Wz;
  m.Bxx -= m.Bxz * Wa, m.Bxy -= m.Bxz * Wb;
  m.Byx -= m.Byz * Wa, m.Byy -= m.Byz * Wb;
  m.Bzx -= m.Bzz * Wa, m.Bzy -= m.Bzz * Wb;
  m.Cxx -= m.Cxz * Wa, m.Cxy -= m.Cxz * Wb, m.Cyy -= m.Cyz * Wb;
  m.D.x += m.Bxz * u, m.D.y += m.Byz * u, m.D.z += m.Bzz * u;
  m.D.a += m.Cxz * u, m.D.b += m.Cyz * u;
  m.D.c = p;
}

// What the momentum rate needs, see momentum_rate().
template <class T>
[[gnu::always_inline]] inline void keep(const Articulated<T>& m, Eliminated<T>& out) {
  out.eA = m.Axx - m.Ayy, out.eB = m.Bxx - m.Byy, out.eC = m.Cxx - m.Cyy, out.sB = m.Bxy + m.Byx;
  out.Axy = m.Axy, out.Axz = m.Axz, out.Ayz = m.Ayz;
  out.Bzx = m.Bzx, out.Bzy = m.Bzy, out.Cxy = m.Cxy;
  out.Dx = m.D.x, out.Dy = m.D.y, out.Da = m.D.a, out.Db = m.D.b;
}

// Rz(theta) of a pin that has been eliminated.
template <class T>
[[gnu::always_inline]] inline void turn_z(const Eliminated<T>& out, const T& s, const T& c,
                                          Articulated<T>& m) {
  const T twice_c = c + c;
  turn_symmetric(m.Axx, m.Axy, m.Ayy, out.eA, s, c, twice_c);
  turn(m.Axz, m.Ayz, s, c);
  turn_full(m.Bxx, m.Bxy, m.Byx, m.Byy, out.eB, out.sB, s, c);
  turn(m.Bzx, m.Bzy, s, c);
  turn_symmetric(m.Cxx, m.Cxy, m.Cyy, out.eC, s, c, twice_c);
  turn(m.D.x, m.D.y, s, c);
  turn(m.D.a, m.D.b, s, c);
}

// By any constant placement [R, r], all entries; the z columns of B and C are zero.
template <class T, class K>
[[gnu::always_inline]] inline void place(const Link<K>& link, Articulated<T>& m);
template <class T, class K>
[[gnu::always_inline]] inline void place_wrench(const Link<K>& link, Vector6<T>& F);

// Forces, or moments, on the way inwards: turned with their frames, moments shifted.
template <int kWay, class T, class K>
[[gnu::always_inline]] inline void carry_wrench(const Link<K>& link, const T& s, const T& c,
                                                Vector6<T>& F) {
  turn(F.x, F.y, s, c);
  turn(F.a, F.b, s, c);
  if constexpr (kWay == kAnyWay) {
    place_wrench(link, F);
  } else {
    constexpr auto kTurn = static_cast<Turn>(kWay & kTurnBits);
    if constexpr ((kWay & kAlongZ) != 0) F.a -= link.d * F.y, F.b += link.d * F.x;
    if constexpr (kTurn == Turn::kAny) {
      turn(F.y, F.z, link.sin_alpha, link.cos_alpha);
      turn(F.b, F.c, link.sin_alpha, link.cos_alpha);
    }
    if constexpr (kTurn == Turn::kRight) quarter(F.y, F.z), quarter(F.b, F.c);
    if constexpr (kTurn == Turn::kLeft) quarter_back(F.y, F.z), quarter_back(F.b, F.c);
    if constexpr ((kWay & kAlongX) != 0) F.b -= link.a * F.z, F.c += link.a * F.y;
  }
}

// First moments on the way inwards.
template <int kWay, class T, class K>
[[gnu::always_inline]] inline void carry_moments(const Link<K>& link, const T& s, const T& c,
                                                 Articulated<T>& m) {
  turn(m.mx, m.my, s, c);
  if constexpr (kWay == kAnyWay) {
    const auto& R = link.R;
    const T x = m.mx, y = m.my, z = m.mz;
    m.mx = R[0] * x + R[1] * y + R[2] * z + T(link.r_mass[0]);
    m.my = R[3] * x + R[4] * y + R[5] * z + T(link.r_mass[1]);
    m.mz = R[6] * x + R[7] * y + R[8] * z + T(link.r_mass[2]);
  } else {
    constexpr auto kTurn = static_cast<Turn>(kWay & kTurnBits);
    if constexpr ((kWay & kAlongZ) != 0) m.mz += T(link.d_mass);
    if constexpr (kTurn == Turn::kAny) turn(m.my, m.mz, link.sin_alpha, link.cos_alpha);
    if constexpr (kTurn == Turn::kRight) quarter(m.my, m.mz);
    if constexpr (kTurn == Turn::kLeft) quarter_back(m.my, m.mz);
    if constexpr ((kWay & kAlongX) != 0) m.mx += T(link.a_mass);
  }
}

// One link inwards: eliminated, then seen from the frame of the link before.
template <int kWay, Loads kLoads, class T, class K>
[[gnu::always_inline]] inline void go_inwards(const Link<K>& link, const T& p, const T& s,
                                              const T& c, Articulated<T>& m, Eliminated<T>& out) {
  if constexpr (kLoads == Loads::kGravity) out.load_x = m.mx, out.load_y = m.my;
  if constexpr (kWay == kRoot) {  // the ground rests: nothing but the pin turns
    out.u = (p - m.D.c) / m.Czz;
    return;
  }
  eliminate(p, m, out);
  keep(m, out);
  turn_z(out, s, c, m);
  if constexpr (kWay == kAnyWay) {
    place(link, m);
  } else if constexpr (kWay != kRoot) {
    constexpr auto kTurn = static_cast<Turn>(kWay & kTurnBits);
    if constexpr ((kWay & kAlongZ) != 0) shift_z(link.d, m);
    if constexpr (kTurn == Turn::kAny) turn_x(link, m);
    if constexpr (kTurn == Turn::kRight) quarter_x<false>(m);
    if constexpr (kTurn == Turn::kLeft) quarter_x<true>(m);
    if constexpr (kTurn == Turn::kNone) {
      m.Bxz = m.Byz = m.Bzz = m.Cxz = m.Cyz = m.Czz = T(0);
    }
    if constexpr ((kWay & kAlongX) != 0) shift_x(link.a, m);
  }
  if constexpr (kLoads == Loads::kGravity) carry_moments<kWay>(link, s, c, m);
}

// A motion and gravity from the frame of the link before to a link's own, before its pin turns.
template <int kWay, Loads kLoads, class T, class K>
[[gnu::always_inline]] inline void carry_motion(const Link<K>& link, const T& s, const T& c,
                                                Moving<T>& moving) {
  auto& V = moving.V;
  if constexpr (kWay == kAnyWay || kWay == kRoot) {
    const auto& R = link.R;
    const auto& r = link.r;
    const auto back = [&](T& x, T& y, T& z) {
      const T X = R[0] * x + R[3] * y + R[6] * z;
      const T Y = R[1] * x + R[4] * y + R[7] * z;
      z = R[2] * x + R[5] * y + R[8] * z;
      x = X, y = Y;
    };
    if constexpr (kWay == kAnyWay) {
      V.x += V.b * r[2] - V.c * r[1];
      V.y += V.c * r[0] - V.a * r[2];
      V.z += V.a * r[1] - V.b * r[0];
      back(V.x, V.y, V.z);
      back(V.a, V.b, V.c);
    }
    if constexpr (kLoads == Loads::kGravity) back(moving.gx, moving.gy, moving.gz);
  } else {
    constexpr auto kTurn = static_cast<Turn>(kWay & kTurnBits);
    if constexpr ((kWay & kAlongX) != 0) V.y += link.a * V.c, V.z -= link.a * V.b;
    const auto about_x = [&](T& y, T& z) {
      if constexpr (kTurn == Turn::kAny) turn_back(y, z, link.sin_alpha, link.cos_alpha);
      if constexpr (kTurn == Turn::kRight) quarter_back(y, z);
      if constexpr (kTurn == Turn::kLeft) quarter(y, z);
    };
    about_x(V.y, V.z);
    about_x(V.b, V.c);
    if constexpr (kLoads == Loads::kGravity) about_x(moving.gy, moving.gz);
    if constexpr ((kWay & kAlongZ) != 0) V.x += link.d * V.b, V.y -= link.d * V.a;
  }
  if constexpr (kWay != kRoot) {
    turn_back(V.x, V.y, s, c);
    turn_back(V.a, V.b, s, c);
  }
  if constexpr (kLoads == Loads::kGravity) turn_back(moving.gx, moving.gy, s, c);
}

// pdot = -(V x* P)_c with P = M V + D behind the pin, as the quadratic form that it is in V: no P.
template <class T>
[[gnu::always_inline]] inline T momentum_rate(const Eliminated<T>& e, const Vector6<T>& V) {
  const T fx = (e.eA * V.y + e.eB * V.b) - ((e.Dy + e.Ayz * V.z) + (e.Axy * V.x + e.sB * V.a));
  const T fy = (e.Dx + e.Axz * V.z) + (e.Axy * V.y + e.eB * V.a) + e.sB * V.b;
  const T fa = e.eC * V.b - ((e.Db + e.Bzy * V.z) + e.Cxy * V.a);
  const T fb = (e.Da + e.Bzx * V.z) + e.Cxy * V.b;
  return (V.x * fx + V.y * fy) + (V.a * fa + V.b * fb);
}

// One link outwards [Naudet2003 eqs. 35, 45]: the rate of its pin and of its momentum.
template <int kWay, Loads kLoads, class T, class K>
[[gnu::always_inline]] inline void go_outwards(const Link<K>& link, const Eliminated<T>& e,
                                               const T& s, const T& c, Moving<T>& moving, T& v,
                                               T& p_dot) {
  carry_motion<kWay, kLoads>(link, s, c, moving);
  auto& V = moving.V;
  if constexpr (kWay == kRoot) {  // V is zero
    v = V.c = e.u;
    p_dot = T(0);
  } else {
    const T turning = e.u - ((e.Wx * V.x + e.Wy * V.y) + (e.Wz * V.z + (e.Wa * V.a + e.Wb * V.b)));
    p_dot = momentum_rate(e, V);
    v = turning - V.c;
    V.c = turning;
  }
  if constexpr (kLoads == Loads::kGravity) p_dot += e.load_x * moving.gy - e.load_y * moving.gx;
  if constexpr (kLoads == Loads::kWrenches) p_dot += e.load_x;
}

// Calls f.template operator()<way>() for the link's way.
template <class F>
[[gnu::always_inline]] inline void for_way(int way, const F& f) {
  switch (way) {
#define HAMILTREE_WAY(n) \
  case n:                \
    return f.template operator()<n>();
    HAMILTREE_WAY(0)
    HAMILTREE_WAY(1)
    HAMILTREE_WAY(2)
    HAMILTREE_WAY(3)
    HAMILTREE_WAY(4)
    HAMILTREE_WAY(5)
    HAMILTREE_WAY(6)
    HAMILTREE_WAY(7)
    HAMILTREE_WAY(8)
    HAMILTREE_WAY(9)
    HAMILTREE_WAY(10)
    HAMILTREE_WAY(11)
    HAMILTREE_WAY(12)
    HAMILTREE_WAY(13)
    HAMILTREE_WAY(14)
    HAMILTREE_WAY(15)
    HAMILTREE_WAY(16)
    HAMILTREE_WAY(17)
#undef HAMILTREE_WAY
    default:
      return;
  }
}

// From the tips to the ground; s and c of every link are in `work`. `wrench`: of each body about
// its origin in its own axes, only for Loads::kWrenches.
template <Loads kLoads, class T, class K>
[[gnu::always_inline]] inline void inwards(const std::vector<Link<K>>& links, const T* p,
                                           const Vector6<T>* wrench, ScrewWork<T>& work) {
  for (auto& sum : work.sums) sum = {};
  for (auto& sum : work.wrench_sums) sum = {};
  Articulated<T> m;
  Vector6<T> F;
  for (std::size_t i = links.size(); i-- > 0;) {
    const auto& link = links[i];
    if (link.is_leaf) m = {}, F = {};
    if (link.branches >= 0) {
      m = work.sums[at(link.branches)];
      if constexpr (kLoads == Loads::kWrenches) F = work.wrench_sums[at(link.branches)];
    }
    add_rigid(link, m);
    auto& out = work.links[i];
    if constexpr (kLoads == Loads::kWrenches) {
      const auto& own = wrench[i];
      F.x += own.x, F.y += own.y, F.z += own.z;
      F.a += own.a, F.b += own.b, F.c += own.c;
      out.load_x = F.c;
    }
    for_way(link.way, [&]<int kWay>() {
      go_inwards<kWay, kLoads>(link, p[i], work.s[i], work.c[i], m, out);
      if constexpr (kLoads == Loads::kWrenches && kWay != kRoot)
        carry_wrench<kWay>(link, work.s[i], work.c[i], F);
    });
    if (link.way == kRoot || link.continues) continue;
    add(m, work.sums[at(link.joins)]);
    if constexpr (kLoads == Loads::kWrenches) {
      auto& sum = work.wrench_sums[at(link.joins)];
      sum.x += F.x, sum.y += F.y, sum.z += F.z;
      sum.a += F.a, sum.b += F.b, sum.c += F.c;
    }
  }
}

// From the ground to the tips, after inwards(); gravity in world axes.
template <Loads kLoads, class T, class K>
[[gnu::always_inline]] inline void outwards(const std::vector<Link<K>>& links,
                                            const T (&gravity)[3], ScrewWork<T>& work, T* v,
                                            T* p_dot) {
  Moving<T> moving;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto& link = links[i];
    if (link.way == kRoot) {
      moving = {{}, gravity[0], gravity[1], gravity[2]};
    } else if (!link.continues) {
      moving = work.branches[at(link.joins)];
    }
    for_way(link.way, [&]<int kWay>() {
      go_outwards<kWay, kLoads>(link, work.links[i], work.s[i], work.c[i], moving, v[i], p_dot[i]);
    });
    if (link.branches >= 0) work.branches[at(link.branches)] = moving;
  }
}

template <class T, class K>
[[gnu::always_inline]] inline void place(const Link<K>& link, Articulated<T>& m) {
  const auto& R = link.R;
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
  const auto& r = link.r;
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
  place_wrench(link, m.D);
}

template <class T, class K>
[[gnu::always_inline]] inline void place_wrench(const Link<K>& link, Vector6<T>& F) {
  const auto& R = link.R;
  const auto& r = link.r;
  const auto turn = [&](T& x, T& y, T& z) {
    const T X = R[0] * x + R[1] * y + R[2] * z;
    const T Y = R[3] * x + R[4] * y + R[5] * z;
    z = R[6] * x + R[7] * y + R[8] * z;
    x = X, y = Y;
  };
  turn(F.x, F.y, F.z);
  turn(F.a, F.b, F.c);
  F.a += r[1] * F.z - r[2] * F.y;
  F.b += r[2] * F.x - r[0] * F.z;
  F.c += r[0] * F.y - r[1] * F.x;
}

}  // namespace hamiltree::screws
