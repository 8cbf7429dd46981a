// The two passes of the recursive algorithm [Naudet2003] for a tree of revolutes in DH frames, with
// one addition or multiplication for each that is needed. T is the scalar of the state, O that of
// what leads out of the plane, K that of the constants.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/carry.hpp"
#include "hamiltree/formulations/dh_frames/free_root.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::dh_frames {

enum class Loads { kNone, kGravity, kWrenches };

// Factors of a revolute for the outward pass.
template <class T, class O>
struct Eliminated {
  T Wx{0}, Wy{0}, u{0};  // of the revolute: rate = u - W . V
  O Wz{0}, Wa{0}, Wb{0};
  T eA{0};                // A_xx - A_yy behind it
  O eB{0}, eC{0}, sB{0};  // B_xx - B_yy, C_xx - C_yy, B_xy + B_yx
  T Axy{0}, Dx{0}, Dy{0};
  O Axz{0}, Ayz{0}, Bzx{0}, Bzy{0}, Cxy{0}, Da{0}, Db{0};
  T load_x{0}, load_y{0};  // first moments; of wrenches the moment about the revolute in load_x
  O load_z{0};             // of roots only
};

template <class T, class O>
struct Moving {
  Vector6<T, O> V;  // of the frame's origin, in its axes
  T gx{0}, gy{0};   // gravity in its axes
  O gz{0};
};

template <class T, class O = T>
struct ScrewWork {
  // For a tree of so many revolutes and slots, of which so many revolutes branch; there is room for
  // whole packs.
  void resize(std::size_t revolutes, std::size_t slots, std::size_t branchings,
              std::size_t free_roots) {
    eliminated.resize(revolutes);
    for (auto* values : {&theta, &s, &c, &p, &v, &p_dot}) values->resize(slots + kLanes);
    sums.resize(branchings);
    force_sums.resize(branchings);
    branches.resize(branchings);
    free_turns.resize(free_roots);
  }

  std::vector<Eliminated<T, O>> eliminated;
  std::vector<T> theta, s, c;                // angles, their sines and cosines, by slot
  std::vector<T> p, v, p_dot;                // by slot
  std::vector<std::array<T, 9>> free_turns;  // of the free roots, in order
  std::vector<Articulated<T, O>> sums;       // at revolutes with several children
  std::vector<Vector6<T, O>> force_sums;
  std::vector<Moving<T, O>> branches;
  // Between a lane group and the tree that it is part of, in the frames of the revolutes inboard.
  Articulated<T, O> handed_in;
  Moving<T, O> handed_out;
};

// The revolute is eliminated, p its momentum [Naudet2003 eqs. 46-48]:
//   (1)  W = M e_c / C_zz,   u = (p - D_c) / C_zz
//   (2)  M <- M - C_zz W W^T,   D <- D + C_zz W u,   of which the revolute's rows are 0 and p
//   exactly
template <class T, class O>
inline void eliminate(const T& p, Articulated<T, O>& m, Eliminated<T, O>& out) {
  // (1)
  const T inverse = T(1) / m.Czz;
  const T Wx = m.Bxz * inverse, Wy = m.Byz * inverse;
  const O Wz = m.Bzz * inverse, Wa = m.Cxz * inverse, Wb = m.Cyz * inverse;
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

// Storage for the momentum rate, see momentum_rate().
template <class T, class O>
inline void keep(const Articulated<T, O>& m, Eliminated<T, O>& out) {
  out.eA = m.Axx - m.Ayy, out.eB = m.Bxx - m.Byy, out.eC = m.Cxx - m.Cyy, out.sB = m.Bxy + m.Byx;
  out.Axy = m.Axy, out.Axz = m.Axz, out.Ayz = m.Ayz;
  out.Bzx = m.Bzx, out.Bzy = m.Bzy, out.Cxy = m.Cxy;
  out.Dx = m.D.x, out.Dy = m.D.y, out.Da = m.D.a, out.Db = m.D.b;
}

constexpr bool is_root(int link_case) { return link_case == kRoot || link_case == kFreeRoot; }

// A free root: its motion is kept in the places of the revolute's.
template <class T>
inline void settle_free_root(const T* p, const Articulated<T>& m, Eliminated<T, T>& out) {
  const auto V = free_motion(m, p);
  out.Wx = V.x, out.Wy = V.y, out.Wz = V.z, out.Wa = V.a, out.Wb = V.b, out.u = V.c;
}

// One revolute inwards: eliminated, then seen from the frame of the revolute before.
template <int kCase, Loads kLoads, class T, class O, class K>
inline void go_inwards(const Revolute<K>& revolute, const T* p, const T& s, const T& c,
                       Articulated<T, O>& m, Eliminated<T, O>& out) {
  if constexpr (kLoads == Loads::kGravity) {
    out.load_x = m.mx, out.load_y = m.my;
    if constexpr (is_root(kCase)) out.load_z = m.mz;
  }
  if constexpr (kCase == kRoot) {  // the ground rests: nothing but the revolute turns
    out.u = (p[0] - m.D.c) / m.Czz;
  } else if constexpr (kCase == kFreeRoot) {
    settle_free_root(p, m, out);
  } else {
    eliminate(p[0], m, out);
    keep(m, out);
    carry_inertia<kCase>(revolute, s, c, m);
    carry_force<kCase>(revolute, s, c, m.D);
    if constexpr (kLoads == Loads::kGravity) carry_moments<kCase>(revolute, s, c, m);
  }
}

// pdot = -(V x* P)_c with P = M V + D behind the revolute, as the quadratic form that it is in V:
// no P.
template <class T, class O>
inline T momentum_rate(const Eliminated<T, O>& e, const Vector6<T, O>& V) {
  const T fx = (e.eA * V.y + e.eB * V.b) - ((e.Dy + e.Ayz * V.z) + (e.Axy * V.x + e.sB * V.a));
  const T fy = (e.Dx + e.Axz * V.z) + (e.Axy * V.y + e.eB * V.a) + e.sB * V.b;
  const O fa = e.eC * V.b - ((e.Db + e.Bzy * V.z) + e.Cxy * V.a);
  const O fb = (e.Da + e.Bzx * V.z) + e.Cxy * V.b;
  return (V.x * fx + V.y * fy) + (V.a * fa + V.b * fb);
}

// A free root outwards; gravity has been turned into its axes. Named by its case, so that a plane,
// where there is none, does not look for it.
template <int kCase, Loads kLoads, class T, class K>
inline void release_free_root(const Revolute<K>& revolute, const Eliminated<T, T>& e, const T* p,
                              Moving<T, T>& moving, T* v, T* p_dot) {
  moving.V = {e.Wx, e.Wy, e.Wz, e.Wa, e.Wb, e.u};
  v[0] = e.Wx, v[1] = e.Wy, v[2] = e.Wz, v[3] = e.Wa, v[4] = e.Wb, v[5] = e.u;
  free_momentum_rates(moving.V, p, p_dot);
  if constexpr (kLoads == Loads::kGravity) {
    const T &gx = moving.gx, &gy = moving.gy, &gz = moving.gz;
    const T &mx = e.load_x, &my = e.load_y, &mz = e.load_z;
    p_dot[0] += T(revolute.mass_behind) * gx;
    p_dot[1] += T(revolute.mass_behind) * gy;
    p_dot[2] += T(revolute.mass_behind) * gz;
    p_dot[3] += my * gz - mz * gy;
    p_dot[4] += mz * gx - mx * gz;
    p_dot[5] += mx * gy - my * gx;
  }
}

// One revolute outwards [Naudet2003 eqs. 35, 45]: the rate of its revolute and of its momentum.
template <int kCase, Loads kLoads, class T, class O, class K>
inline void go_outwards(const Revolute<K>& revolute, const Eliminated<T, O>& e, const T& s,
                        const T& c, Moving<T, O>& moving, T& v, T& p_dot) {
  auto& V = moving.V;
  if constexpr (kCase == kRoot) {  // V is zero
    v = V.c = e.u;
    p_dot = T(0);
  } else {
    carry_motion<kCase>(revolute, s, c, V);
    const T turning = e.u - ((e.Wx * V.x + e.Wy * V.y) + (e.Wz * V.z + (e.Wa * V.a + e.Wb * V.b)));
    p_dot = momentum_rate(e, V);
    v = turning - V.c;
    V.c = turning;
  }
  if constexpr (kLoads == Loads::kGravity) {
    carry_vector<kCase>(revolute, s, c, moving.gx, moving.gy, moving.gz);
    p_dot += e.load_x * moving.gy - e.load_y * moving.gx;
  }
  if constexpr (kLoads == Loads::kWrenches) p_dot += e.load_x;
}

// Calls f.template operator()<link_case>() for the revolute's case, in the plane one of four.
template <class O, class F>
inline void for_case(int link_case, const F& f) {
#define HAMILTREE_WAY(n) \
  case n:                \
    return f.template operator()<n>();
  if constexpr (std::is_same_v<O, Zero>) {
    switch (link_case) {
      HAMILTREE_WAY(0)
      HAMILTREE_WAY(kAlongX)
      HAMILTREE_WAY(kPlaneBranchCase)
      HAMILTREE_WAY(kRoot)
      default:
        return;
    }
  } else {
    switch (link_case) {
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
      HAMILTREE_WAY(kAnyCase)
      HAMILTREE_WAY(kBranchCase)
      HAMILTREE_WAY(kMixedCase)
      HAMILTREE_WAY(kRoot)
      HAMILTREE_WAY(kFreeRoot)
      default:
        return;
    }
  }
#undef HAMILTREE_WAY
}

// From the tips to the ground; s and c of every revolute are in `work`, p by slot. `wrench`: of
// each body about its origin in its own axes, only for Loads::kWrenches, which free roots do not
// take.
template <Loads kLoads, class T, class O, class K>
inline void inwards(const std::vector<Revolute<K>>& revolutes, const T* p, ScrewWork<T, O>& work,
                    const Vector6<T, O>* wrench = nullptr) {
  constexpr bool kMayFloat = !std::is_same_v<O, Zero>;
  Articulated<T, O> m;
  Vector6<T, O> F;
  for (std::size_t i = revolutes.size(); i-- > 0;) {
    const auto& revolute = revolutes[i];
    const auto slot = at(revolute.slot);
    if (revolute.is_leaf) m = {}, F = {};
    if (revolute.branches >= 0) {
      m = work.sums[at(revolute.branches)];
      if constexpr (kLoads == Loads::kWrenches) F = work.force_sums[at(revolute.branches)];
    }
    add_rigid(revolute, m);
    if constexpr (kMayFloat) {
      if (revolute.link_case == kFreeRoot) add_rest(revolute, m);
    }
    auto& out = work.eliminated[i];
    if constexpr (kLoads == Loads::kWrenches) {
      add(wrench[i], F);
      out.load_x = F.c;
    }
    for_case<O>(revolute.link_case, [&]<int kCase>() {
      go_inwards<kCase, kLoads>(revolute, p + slot, work.s[slot], work.c[slot], m, out);
      if constexpr (kLoads == Loads::kWrenches && !is_root(kCase))
        carry_force<kCase>(revolute, work.s[slot], work.c[slot], F);
    });
    if (is_root(revolute.link_case) || revolute.continues) continue;
    if (revolute.joins == kHandsOver) {
      work.handed_in = m;
      continue;
    }
    auto& sum = work.sums[at(revolute.joins)];
    if (revolute.opens) {
      sum = m;
    } else {
      add(m, sum);
    }
    if constexpr (kLoads == Loads::kWrenches) {
      auto& force_sum = work.force_sums[at(revolute.joins)];
      if (revolute.opens) force_sum = {};
      add(F, force_sum);
    }
  }
}

// From the ground to the tips, after inwards(); gravity in world axes.
template <Loads kLoads, class T, class O, class K>
inline void outwards(const std::vector<Revolute<K>>& revolutes, const T* p,
                     const std::array<K, 3>& gravity, ScrewWork<T, O>& work, T* v, T* p_dot) {
  Moving<T, O> moving;
  std::size_t free_root = 0;
  for (std::size_t i = 0; i < revolutes.size(); ++i) {
    const auto& revolute = revolutes[i];
    const auto slot = at(revolute.slot);
    if (is_root(revolute.link_case)) {
      moving = {{}, T(gravity[0]), T(gravity[1]), O(gravity[2])};
    } else if (revolute.joins == kHandsOver) {
      moving = work.handed_out;
    } else if (!revolute.continues) {
      moving = work.branches[at(revolute.joins)];
    }
    for_case<O>(revolute.link_case, [&]<int kCase>() {
      if constexpr (kCase == kFreeRoot) {
        if constexpr (kLoads == Loads::kGravity) {
          rotate_back(moving.gx, moving.gy, moving.gz, revolute.R);
          rotate_back(moving.gx, moving.gy, moving.gz, work.free_turns[free_root++]);
        }
        release_free_root<kCase, kLoads>(revolute, work.eliminated[i], p + slot, moving, v + slot,
                                         p_dot + slot);
      } else {
        go_outwards<kCase, kLoads>(revolute, work.eliminated[i], work.s[slot], work.c[slot], moving,
                                   v[slot], p_dot[slot]);
      }
    });
    if (revolute.branches >= 0) work.branches[at(revolute.branches)] = moving;
  }
}

}  // namespace hamiltree::dh_frames
