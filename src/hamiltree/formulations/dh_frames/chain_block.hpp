// A chain block of a chain in eight lanes: eight segments go inwards side by side, each with what
// it will hand to the next one left open, and are joined two by two; told what others hand them,
// they go outwards and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/carry.hpp"
#include "hamiltree/formulations/dh_frames/chain_block_work.hpp"
#include "hamiltree/formulations/dh_frames/lane_state.hpp"
#include "hamiltree/formulations/dh_frames/passes.hpp"

namespace hamiltree::dh_frames {

// The two ways that steps take, in the plane only one.
template <bool kPlanar, class F>
inline void for_segment_case(const Revolute<Pack>& revolute, const F& f) {
  if constexpr (kPlanar) {
    f.template operator()<kAlongX>();
  } else if (revolute.link_case == kAnyCase) {
    f.template operator()<kAnyCase>();
  } else {
    f.template operator()<kMixedCase>();
  }
}

template <int kCase, bool kPlanar>
inline void carry_rotated(const Revolute<Pack>& revolute, const Pack& s, const Pack& c,
                          Turned<kPlanar>& R) {
  const auto carry = [&](auto& x, auto& y, auto& z) {
    rotate(x, y, s, c);
    if constexpr (kCase == kAnyCase) {
      rotate(x, y, z, revolute.R);
    } else {
      rotate_x<kCase>(revolute, y, z);
    }
  };
  carry(R.x0, R.x1, R.x2);
  carry(R.y0, R.y1, R.y2);
}

// A force without moment about the revolute.
template <int kCase, class O>
inline void carry_pinned(const Revolute<Pack>& revolute, const Pack& s, const Pack& c,
                         Vector6<Pack, O>& F) {
  if constexpr (kCase == kAnyCase) {
    F.c = Pack(0.0);
    carry_force<kCase>(revolute, s, c, F);
  } else if constexpr (kCase == kAlongX) {
    rotate(F.x, F.y, s, c);
    F.c = revolute.a * F.y;
  } else {
    rotate(F.x, F.y, s, c);
    rotate(F.a, F.b, s, c);
    F.a -= revolute.d * F.y, F.b += revolute.d * F.x;
    rotate_x<kCase>(revolute, F.y, F.z);
    F.c = revolute.sin_alpha * F.b;
    F.b = revolute.cos_alpha * F.b;
    F.b -= revolute.a * F.z, F.c += revolute.a * F.y;
  }
}

// (2) of inwards(), for some columns of F: as many as stay in registers.
template <std::size_t kFrom, std::size_t kTo, bool kPlanar>
inline void open_columns(const ChainBlock& chain_block, std::size_t first, std::size_t last,
                         ChainBlockWork<kPlanar>& work, OpenEnd<kPlanar>& end) {
  std::array<Vector6<Pack, Out<Pack, kPlanar>>, kTo - kFrom> columns;
  for (std::size_t j = kFrom; j < kTo; ++j) columns[j - kFrom] = end.F[j];
  for (std::size_t k = last; k-- > first;) {
    const auto& revolute = chain_block.revolutes[k];
    auto& step = work.steps[k];
    for_segment_case<kPlanar>(revolute, [&]<int kCase>() {
#pragma GCC unroll 5
      for (std::size_t j = kFrom; j < kTo; ++j) {
        auto& F = columns[j - kFrom];
        const Pack phi = F.c;
        step.phi[j] = phi;
        F.x -= step.Wx * phi, F.y -= step.Wy * phi, F.z -= step.Wz * phi;
        F.a -= step.Wa * phi, F.b -= step.Wb * phi;
        carry_pinned<kCase>(revolute, step.s, step.c, F);
      }
    });
  }
  for (std::size_t j = kFrom; j < kTo; ++j) end.F[j] = columns[j - kFrom];
}

// The way inwards of the steps [first, last), from the last; loops that stay in registers each:
//   (1)  M, D as in eliminate()
//   (2)  phi = F^T e_c,  F <- F - W phi^T
//   (3)  Psi <- Psi + phi phi^T / C_zz,  f <- f + phi u
//   (4)  first moments and turns
template <bool kPlanar, class O>
inline void inwards(const ChainBlock& chain_block, std::size_t first, std::size_t last,
                    ChainBlockWork<kPlanar>& work, Articulated<Pack, O>& m, OpenEnd<kPlanar>& end,
                    Turned<kPlanar>& R) {
  constexpr std::size_t n = kPinned<kPlanar>;
  // (1)
  {
    auto own = m;
    for (std::size_t k = last; k-- > first;) {
      const auto& revolute = chain_block.revolutes[k];
      auto& step = work.steps[k];
      add_inertia(revolute, own);
      Eliminated<Pack, O> e;
      step.inverse = Pack(1.0) / own.Czz;
      eliminate(step.p, own, e);
      step.Wx = e.Wx, step.Wy = e.Wy, step.Wz = e.Wz, step.Wa = e.Wa, step.Wb = e.Wb;
      step.u = e.u;
      for_segment_case<kPlanar>(revolute, [&]<int kCase>() {
        carry_inertia<kCase>(revolute, step.s, step.c, own);
        carry_force<kCase>(revolute, step.s, step.c, own.D);
      });
    }
    own.mx = m.mx, own.my = m.my, own.mz = m.mz;
    m = own;
  }
  // (2)
  constexpr std::size_t kMost = 3;
  open_columns<0, std::min(kMost, n)>(chain_block, first, last, work, end);
  if constexpr (n > kMost) open_columns<kMost, n>(chain_block, first, last, work, end);
  // (3)
  for (std::size_t k = last; k-- > first;) {
    const auto& step = work.steps[k];
#pragma GCC unroll 5
    for (std::size_t i = 0; i < n; ++i) {
      const Pack scaled = step.phi[i] * step.inverse;
#pragma GCC unroll 5
      for (std::size_t j = 0; j <= i; ++j) end.Psi[i][j] += scaled * step.phi[j];
      end.f[i] += step.phi[i] * step.u;
    }
  }
  // (4)
  for (std::size_t k = last; k-- > first;) {
    const auto& revolute = chain_block.revolutes[k];
    const auto& step = work.steps[k];
    m.mx += revolute.mx, m.my += revolute.my;
    for_segment_case<kPlanar>(revolute, [&]<int kCase>() {
      carry_moments<kCase>(revolute, step.s, step.c, m);
      carry_rotated<kCase>(revolute, step.s, step.c, R);
    });
  }
}

// The entries of a force or motion in the directions of a revolute, then along its axis.
template <bool kPlanar>
using Entries = std::array<Pack, kPinned<kPlanar> + 1>;

inline Entries<true> entries_of(const Vector6<Pack, Zero>& F) { return {F.x, F.y, F.c}; }
inline Entries<false> entries_of(const Vector6<Pack>& F) { return {F.x, F.y, F.z, F.a, F.b, F.c}; }
inline Vector6<Pack, Zero> from_entries(const Entries<true>& x) {
  return {x[0], x[1], {}, {}, {}, x[2]};
}
inline Vector6<Pack> from_entries(const Entries<false>& x) {
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}

// M of the first bodies, factored.
template <bool kPlanar>
inline Factors<kPinned<kPlanar> + 1> factor(const Articulated<Pack, Out<Pack, kPlanar>>& m) {
  PinnedSquare<kPinned<kPlanar> + 1> lower;
  if constexpr (kPlanar) {
    lower = {{{m.Axx}, {m.Axy, m.Ayy}, {m.Bxz, m.Byz, m.Czz}}};
  } else {
    lower = {{{m.Axx},
              {m.Axy, m.Ayy},
              {m.Axz, m.Ayz, m.Azz},
              {m.Bxx, m.Byx, m.Bzx, m.Cxx},
              {m.Bxy, m.Byy, m.Bzy, m.Cxy, m.Cyy},
              {m.Bxz, m.Byz, m.Bzz, m.Cxz, m.Cyz, m.Czz}}};
  }
  return factor(lower);
}

// x <- M^-1 x
template <std::size_t n>
inline void solve(const Factors<n>& M, Pinned<n>& x) {
  forward(M, x);
  for (std::size_t i = 0; i < n; ++i) x[i] *= M.inverse[i];
  backward(M, x);
}

// The segments as compounds.
template <bool kPlanar>
inline Compound<kPinned<kPlanar>> compound_of(const ChainBlockWork<kPlanar>& work) {
  constexpr std::size_t n = kPinned<kPlanar>;
  std::array<Entries<kPlanar>, n> E, F;
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
    E[j].fill(Pack(0.0));
    E[j][j] = Pack(1.0);
    F[j] = entries_of(work.end.F[j]);
  }
  auto rest = entries_of(work.m.D);
  for (auto& entry : rest) entry = -entry;
  rest[n] += work.steps.front().p;
  return compound_of(work.M, E, F, rest, work.end.Psi, work.end.f);
}

inline Vector3 turned(const Rotation& A, const Vector3& x) {
  return {A[0] * x[0] + A[1] * x[1] + A[2] * x[2], A[3] * x[0] + A[4] * x[1] + A[5] * x[2],
          A[6] * x[0] + A[7] * x[1] + A[8] * x[2]};
}
inline Rotation product(const Rotation& A, const Rotation& B) {
  Rotation C;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    }
  }
  return C;
}
inline Vector3 turned_back(const Rotation& A, const Vector3& x) {
  return {A[0] * x[0] + A[3] * x[1] + A[6] * x[2], A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
          A[2] * x[0] + A[5] * x[1] + A[8] * x[2]};
}

// First moments of a segment and of all behind it, in the axes of its first body.
template <class O>
inline Vector3 moments_with(const Articulated<Pack, O>& m, int lane, const Rotation& A,
                            const Vector3& behind) {
  const auto x = turned(A, behind);
  return {m.mx[lane] + x[0], m.my[lane] + x[1], lane_of(m.mz, lane) + x[2]};
}

// Gravity in the axes of every segment's first body, and the first moments of all behind its last
// one, in the axes of the next segment's first: along the lanes, one by one.
template <bool kPlanar>
struct AcrossLanes {
  Pack gx, gy, mx, my;
  Out<Pack, kPlanar> gz, mz;
};

template <bool kPlanar>
inline AcrossLanes<kPlanar> go_across(const ChainBlockWork<kPlanar>& work) {
  AcrossLanes<kPlanar> across;
  std::array<Vector3, kLanes> g, behind;
  g.front() = work.inside.gravity;
  for (int lane = 1; lane < kLanes; ++lane)
    g[at(lane)] = turned_back(work.R.axes(lane - 1), g[at(lane - 1)]);
  behind.back() = work.inside.behind;
  for (int lane = kLanes - 1; lane > 0; --lane)
    behind[at(lane - 1)] = moments_with(work.m, lane, work.R.axes(lane), behind[at(lane)]);
  set_lanes(across.gx, [&](int lane) { return g[at(lane)][0]; });
  set_lanes(across.gy, [&](int lane) { return g[at(lane)][1]; });
  set_lanes(across.gz, [&](int lane) { return g[at(lane)][2]; });
  set_lanes(across.mx, [&](int lane) { return behind[at(lane)][0]; });
  set_lanes(across.my, [&](int lane) { return behind[at(lane)][1]; });
  set_lanes(across.mz, [&](int lane) { return behind[at(lane)][2]; });
  return across;
}

// V of the first body is known; y is what the segment hands out.
template <bool kPlanar>
inline void outwards(const ChainBlock& chain_block, const Pinned<kPinned<kPlanar>>& y,
                     Moving<Pack, Out<Pack, kPlanar>> moving, ChainBlockWork<kPlanar>& work,
                     MovingSteps<kPlanar>& steps) {
  auto& V = moving.V;
  for (std::size_t k = 0; k < chain_block.revolutes.size(); ++k) {
    const auto& revolute = chain_block.revolutes[k];
    const auto& step = work.steps[k];
    auto& out = steps[k];
    if (k == 0) {
      out.v = V.c;  // less what the body inboard turns about the revolute, which comes last
    } else {
      const Pack alone = step.u - step.inverse * dot<0, kPinned<kPlanar>>(step.phi, y);
      for_segment_case<kPlanar>(revolute, [&]<int kCase>() {
        carry_motion<kCase>(revolute, step.s, step.c, V);
        carry_vector<kCase>(revolute, step.s, step.c, moving.gx, moving.gy, moving.gz);
      });
      const Pack turning = alone - ((step.Wx * V.x + step.Wy * V.y) +
                                    (step.Wz * V.z + (step.Wa * V.a + step.Wb * V.b)));
      out.v = turning - V.c;
      V.c = turning;
    }
    out.V = V, out.gx = moving.gx, out.gy = moving.gy;
  }
  // The inboard side of the next segment's first revolute.
  for_segment_case<kPlanar>(chain_block.next, [&]<int kCase>() {
    carry_motion<kCase>(chain_block.next, work.next_s, work.next_c, V);
  });
  steps.front().v -= lane_before(V.c);
  work.last_turns = V.c[kLanes - 1];
}

// Back to the ground with P, momentum, and the first moments of all behind:
//   pdot = -(V x* P)_c + (m x g)_c
template <bool kPlanar>
inline void back(const ChainBlock& chain_block, const Pinned<kPinned<kPlanar>>& y,
                 const AcrossLanes<kPlanar>& across, const ChainBlockWork<kPlanar>& work,
                 MovingSteps<kPlanar>& steps) {
  using O = Out<Pack, kPlanar>;
  Entries<kPlanar> handed_out;
  for (std::size_t i = 0; i < y.size(); ++i) handed_out[i] = y[i];
  handed_out.back() = work.next_p;
  auto P = from_entries(handed_out);
  Articulated<Pack, O> m;  // first moments only
  m.mx = across.mx, m.my = across.my, m.mz = across.mz;
  const auto carry = [&](const Revolute<Pack>& revolute, const Pack& s, const Pack& c) {
    for_segment_case<kPlanar>(revolute, [&]<int kCase>() {
      carry_force<kCase>(revolute, s, c, P);
      carry_moments<kCase>(revolute, s, c, m);
    });
  };
  carry(chain_block.next, work.next_s, work.next_c);
  for (std::size_t k = chain_block.revolutes.size(); k-- > 0;) {
    const auto& revolute = chain_block.revolutes[k];
    const auto& step = work.steps[k];
    auto& out = steps[k];
    const auto& V = out.V;
    P.x += revolute.mass * V.x - revolute.my * V.c;
    P.y += revolute.mass * V.y + revolute.mx * V.c;
    P.z += revolute.mass * V.z + (revolute.my * V.a - revolute.mx * V.b);
    P.a += revolute.my * V.z + (revolute.Jxx * V.a + revolute.Jxy * V.b + O(revolute.Jxz) * V.c);
    P.b += (revolute.Jxy * V.a + O(revolute.Jyz) * V.c) - revolute.mx * V.z;
    P.c = step.p;
    m.mx += revolute.mx, m.my += revolute.my;
    out.p_dot =
        (m.mx * out.gy - m.my * out.gx) - ((V.x * P.y - V.y * P.x) + (V.a * P.b - V.b * P.a));
    if (k > 0) carry(revolute, step.s, step.c);
  }
}

inline FirstRevolute first_revolute(const ChainBlock& chain_block, const Request<double>& asked) {
  Pack s, c, p;
  take_state(chain_block, 0, asked, s, c, p);
  return {s[0], c[0], p[0]};
}

// The state, of the next segments' first revolutes, too.
template <bool kPlanar>
inline void take_state(const ChainBlock& chain_block, const FirstRevolute& beyond,
                       const Request<double>& asked, ChainBlockWork<kPlanar>& work) {
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    take_state(chain_block, k, asked, work.steps[k].s, work.steps[k].c, work.steps[k].p);
  const auto& front = work.steps.front();
  work.next_s = next_lane(front.s, beyond.s);
  work.next_c = next_lane(front.c, beyond.c);
  work.next_p = next_lane(front.p, beyond.p);
}

// The chain block as others see it. `beyond`: of the next chain block, none for the chain's last.
template <bool kPlanar>
inline void go_in(const ChainBlock& chain_block, const FirstRevolute& beyond,
                  const Request<double>& asked, ChainBlockWork<kPlanar>& work) {
  constexpr std::size_t n = kPinned<kPlanar>;
  constexpr std::size_t kBlock = 16;  // steps that stay in the nearest cache
  take_state(chain_block, beyond, asked, work);
  Articulated<Pack, Out<Pack, kPlanar>> m;
  OpenEnd<kPlanar> end;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) end.Psi[i][j] = Pack(0.0);
    end.f[i] = Pack(0.0);
  }
  end.F[0].x = end.F[1].y = Pack(1.0);
  if constexpr (!kPlanar) end.F[2].z = end.F[3].a = end.F[4].b = Pack(1.0);
  Turned<kPlanar> R;
  m.D.c = work.next_p;
  for_segment_case<kPlanar>(chain_block.next, [&]<int kCase>() {
    for (auto& F : end.F) carry_pinned<kCase>(chain_block.next, work.next_s, work.next_c, F);
    carry_force<kCase>(chain_block.next, work.next_s, work.next_c, m.D);
    carry_moments<kCase>(chain_block.next, work.next_s, work.next_c, m);
    carry_rotated<kCase>(chain_block.next, work.next_s, work.next_c, R);
  });
  for (std::size_t last = chain_block.revolutes.size(); last > 1;) {
    const std::size_t first = last > kBlock + 1 ? last - kBlock : 1;
    inwards(chain_block, first, last, work, m, end, R);
    last = first;
  }
  add_rigid(chain_block.revolutes.front(), m);

  work.m = m, work.end = end, work.R = R;
  work.M = factor<kPlanar>(m);
  auto& outside = work.outside;
  outside.compound = compound_of(work);
  join<1>(outside.compound, work.joined[0]);
  join<2>(outside.compound, work.joined[1]);
  join<4>(outside.compound, work.joined[2]);
  outside.turn = R.axes(kLanes - 1);
  outside.moments = {0.0, 0.0, 0.0};
  for (int lane = kLanes - 1; lane >= 0; --lane) {
    outside.moments = moments_with(m, lane, R.axes(lane), outside.moments);
    if (lane < kLanes - 1) outside.turn = product(R.axes(lane), outside.turn);
  }
}

// The rates, but for what the chain block before turns about its first revolute.
template <bool kPlanar>
inline void go_out(const ChainBlock& chain_block, const Request<double>& asked,
                   ChainBlockWork<kPlanar>& work, MovingSteps<kPlanar>& steps) {
  constexpr std::size_t n = kPinned<kPlanar>;
  auto T_1 = work.inside.T_1, T_2 = work.inside.T_2;
  part<4>(work.joined[2], T_1, T_2);
  part<2>(work.joined[1], T_1, T_2);
  part<1>(work.joined[0], T_1, T_2);

  //   M V = P - D - F y,     y = -T_2
  Pinned<n> y;
  for (std::size_t i = 0; i < n; ++i) y[i] = -T_2[i];
  auto V = entries_of(work.m.D);
  for (std::size_t i = 0; i < n; ++i) V[i] = T_1[i] - V[i];
  V[n] = work.steps.front().p - V[n];
  for (std::size_t j = 0; j < n; ++j) {
    const auto F = entries_of(work.end.F[j]);
    for (std::size_t i = 0; i <= n; ++i) V[i] -= F[i] * y[j];
  }
  solve(work.M, V);
  const auto across = go_across(work);
  outwards(chain_block, y, {from_entries(V), across.gx, across.gy, across.gz}, work, steps);
  back(chain_block, y, across, work, steps);

  Pack sum(0.0);
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    sum += give_rates(chain_block, k, steps[k].v, steps[k].p_dot, asked);
  work.finite = sum_of_lanes(sum) == 0.0;
}

}  // namespace hamiltree::dh_frames
