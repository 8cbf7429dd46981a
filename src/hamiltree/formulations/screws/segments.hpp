// One chain in eight lanes: eight segments go inwards side by side, each with what it will hand to
// the next one left open, are joined two by two, and go outwards and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/carry.hpp"
#include "hamiltree/formulations/screws/lane_state.hpp"
#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/segment_work.hpp"

namespace hamiltree::screws {

// The two ways that steps take, in the plane only one.
template <bool kPlanar, class F>
inline void for_segment_way(const Pin<Pack>& pin, const F& f) {
  if constexpr (kPlanar) {
    f.template operator()<kAlongX>();
  } else if (pin.way == kAnyWay) {
    f.template operator()<kAnyWay>();
  } else {
    f.template operator()<kMixedWay>();
  }
}

// Momentum that a body hands to the one outboard, y, weighs in on it:
//   P = M V + D + F y,     V_next = F^T V + f - Psi y
template <bool kPlanar>
struct OpenEnd {
  static constexpr std::size_t n = kPinned<kPlanar>;
  std::array<Vector6<Pack, Out<Pack, kPlanar>>, n> F;  // columns
  PinnedSquare<n> Psi;                                 // lower half
  Pinned<n> f;
};

// What a vector at the outboard end is at the inboard one: two columns of a rotation, the second of
// which says nothing new in the plane.
template <bool kPlanar>
struct Turned {
  using O = Out<Pack, kPlanar>;
  Pack x0{1.0}, x1{0.0};
  O x2{0.0}, y0{0.0}, y1{1.0}, y2{0.0};

  std::array<double, 9> axes(int lane) const {  // row by row
    const double a = x0[lane], b = x1[lane];
    if constexpr (kPlanar) {
      return {a, -b, 0.0, b, a, 0.0, 0.0, 0.0, 1.0};
    } else {
      const double c = x2[lane], d = y0[lane], e = y1[lane], f = y2[lane];
      return {a, d, b * f - c * e, b, e, c * d - a * f, c, f, a * e - b * d};
    }
  }
};

template <int kWay, bool kPlanar>
inline void carry_turned(const Pin<Pack>& pin, const Pack& s, const Pack& c, Turned<kPlanar>& R) {
  const auto carry = [&](auto& x, auto& y, auto& z) {
    turn(x, y, s, c);
    if constexpr (kWay == kAnyWay) {
      turn(x, y, z, pin.R);
    } else {
      turn_x<kWay>(pin, y, z);
    }
  };
  carry(R.x0, R.x1, R.x2);
  carry(R.y0, R.y1, R.y2);
}

// A force without moment about the pin.
template <int kWay, class O>
inline void carry_pinned(const Pin<Pack>& pin, const Pack& s, const Pack& c, Vector6<Pack, O>& F) {
  if constexpr (kWay == kAnyWay) {
    F.c = Pack(0.0);
    carry_force<kWay>(pin, s, c, F);
  } else if constexpr (kWay == kAlongX) {
    turn(F.x, F.y, s, c);
    F.c = pin.a * F.y;
  } else {
    turn(F.x, F.y, s, c);
    turn(F.a, F.b, s, c);
    F.a -= pin.d * F.y, F.b += pin.d * F.x;
    turn_x<kWay>(pin, F.y, F.z);
    F.c = pin.sin_alpha * F.b;
    F.b = pin.cos_alpha * F.b;
    F.b -= pin.a * F.z, F.c += pin.a * F.y;
  }
}

// (2) of inwards(), for some columns of F: as many as stay in registers.
template <std::size_t kFrom, std::size_t kTo, bool kPlanar>
inline void open_columns(const Segments& segments, std::size_t first, std::size_t last,
                         SegmentWork<kPlanar>& work, OpenEnd<kPlanar>& end) {
  std::array<Vector6<Pack, Out<Pack, kPlanar>>, kTo - kFrom> columns;
  for (std::size_t j = kFrom; j < kTo; ++j) columns[j - kFrom] = end.F[j];
  for (std::size_t k = last; k-- > first;) {
    const auto& pin = segments.pins[k];
    auto& step = work.steps[k];
    for_segment_way<kPlanar>(pin, [&]<int kWay>() {
#pragma GCC unroll 5
      for (std::size_t j = kFrom; j < kTo; ++j) {
        auto& F = columns[j - kFrom];
        const Pack phi = F.c;
        step.phi[j] = phi;
        F.x -= step.Wx * phi, F.y -= step.Wy * phi, F.z -= step.Wz * phi;
        F.a -= step.Wa * phi, F.b -= step.Wb * phi;
        carry_pinned<kWay>(pin, step.s, step.c, F);
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
inline void inwards(const Segments& segments, std::size_t first, std::size_t last,
                    SegmentWork<kPlanar>& work, Articulated<Pack, O>& m, OpenEnd<kPlanar>& end,
                    Turned<kPlanar>& R) {
  constexpr std::size_t n = kPinned<kPlanar>;
  // (1)
  {
    auto own = m;
    for (std::size_t k = last; k-- > first;) {
      const auto& pin = segments.pins[k];
      auto& step = work.steps[k];
      add_inertia(pin, own);
      Eliminated<Pack, O> e;
      step.inverse = Pack(1.0) / own.Czz;
      eliminate(step.p, own, e);
      step.Wx = e.Wx, step.Wy = e.Wy, step.Wz = e.Wz, step.Wa = e.Wa, step.Wb = e.Wb;
      step.u = e.u;
      for_segment_way<kPlanar>(pin, [&]<int kWay>() {
        carry_inertia<kWay>(pin, step.s, step.c, own);
        carry_force<kWay>(pin, step.s, step.c, own.D);
      });
    }
    own.mx = m.mx, own.my = m.my, own.mz = m.mz;
    m = own;
  }
  // (2)
  constexpr std::size_t kMost = 3;
  open_columns<0, std::min(kMost, n)>(segments, first, last, work, end);
  if constexpr (n > kMost) open_columns<kMost, n>(segments, first, last, work, end);
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
    const auto& pin = segments.pins[k];
    const auto& step = work.steps[k];
    m.mx += pin.mx, m.my += pin.my;
    for_segment_way<kPlanar>(pin, [&]<int kWay>() {
      carry_moments<kWay>(pin, step.s, step.c, m);
      carry_turned<kWay>(pin, step.s, step.c, R);
    });
  }
}

// The entries of a force or motion in the directions of a pin, then along its axis.
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

// M of the first body, factored.
template <bool kPlanar>
struct FirstBody {
  static constexpr std::size_t kSize = kPinned<kPlanar> + 1;
  using Column = Entries<kPlanar>;
  Factors<kSize> M;

  explicit FirstBody(const Articulated<Pack, Out<Pack, kPlanar>>& m) {
    PinnedSquare<kSize> lower;
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
    M = factor(lower);
  }
  // x <- M^-1 x
  void solve(Column& x) const {
    forward(M, x);
    for (std::size_t i = 0; i < kSize; ++i) x[i] *= M.inverse[i];
    backward(M, x);
  }
};

// The segment as a compound, p the momentum of its first pin.
template <bool kPlanar>
inline Compound<kPinned<kPlanar>> compound_of(const FirstBody<kPlanar>& body,
                                              const Articulated<Pack, Out<Pack, kPlanar>>& m,
                                              const OpenEnd<kPlanar>& end, const Pack& p) {
  constexpr std::size_t n = kPinned<kPlanar>;
  std::array<Entries<kPlanar>, n> E, F;
#pragma GCC unroll 5
  for (std::size_t j = 0; j < n; ++j) {
    E[j].fill(Pack(0.0));
    E[j][j] = Pack(1.0);
    F[j] = entries_of(end.F[j]);
  }
  auto rest = entries_of(m.D);
  for (auto& entry : rest) entry = -entry;
  rest[n] += p;
  return compound_of(body.M, E, F, rest, end.Psi, end.f);
}

// Gravity in the axes of every segment's first body, and the first moments of all behind its last
// one, in the axes of the next segment's first: along the lanes, one by one.
template <bool kPlanar>
struct AcrossLanes {
  Pack gx, gy, mx, my;
  Out<Pack, kPlanar> gz, mz;
  double potential;  // J, of all segments, less a constant
};

template <bool kPlanar>
inline AcrossLanes<kPlanar> go_across(const Segments& segments, const SegmentStep<kPlanar>& first,
                                      const Turned<kPlanar>& R,
                                      const Articulated<Pack, Out<Pack, kPlanar>>& m) {
  AcrossLanes<kPlanar> across;
  double g[3] = {segments.gravity[0], segments.gravity[1], segments.gravity[2]};
  turn_back(g[0], g[1], g[2], segments.root);
  turn_back(g[0], g[1], double(first.s[0]), double(first.c[0]));
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto A = R.axes(lane);
    across.gx.set(lane, g[0]), across.gy.set(lane, g[1]), set_lane(across.gz, lane, g[2]);
    const double x = A[0] * g[0] + A[3] * g[1] + A[6] * g[2];
    const double y = A[1] * g[0] + A[4] * g[1] + A[7] * g[2];
    g[2] = A[2] * g[0] + A[5] * g[1] + A[8] * g[2];
    g[0] = x, g[1] = y;
  }
  double behind[3] = {0.0, 0.0, 0.0};
  for (int lane = kLanes - 1; lane >= 0; --lane) {
    const auto A = R.axes(lane);
    across.mx.set(lane, behind[0]), across.my.set(lane, behind[1]);
    set_lane(across.mz, lane, behind[2]);
    const double x = m.mx[lane] + A[0] * behind[0] + A[1] * behind[1] + A[2] * behind[2];
    const double y = m.my[lane] + A[3] * behind[0] + A[4] * behind[1] + A[5] * behind[2];
    behind[2] = lane_of(m.mz, lane) + A[6] * behind[0] + A[7] * behind[1] + A[8] * behind[2];
    behind[0] = x, behind[1] = y;
  }
  across.potential =
      -(behind[0] * across.gx[0] + behind[1] * across.gy[0] + behind[2] * lane_of(across.gz, 0));
  return across;
}

// V of the first body is known; y is what the segment hands out.
template <bool kPlanar>
inline void outwards(const Segments& segments, const Pinned<kPinned<kPlanar>>& y,
                     Moving<Pack, Out<Pack, kPlanar>> moving, SegmentWork<kPlanar>& work) {
  auto& V = moving.V;
  for (std::size_t k = 0; k < segments.pins.size(); ++k) {
    const auto& pin = segments.pins[k];
    auto& step = work.steps[k];
    if (k == 0) {
      step.v = V.c;  // less what the body inboard turns about the pin, which comes last
    } else {
      const Pack alone = step.u - step.inverse * dot<0, kPinned<kPlanar>>(step.phi, y);
      for_segment_way<kPlanar>(pin, [&]<int kWay>() {
        carry_motion<kWay>(pin, step.s, step.c, V);
        carry_vector<kWay>(pin, step.s, step.c, moving.gx, moving.gy, moving.gz);
      });
      const Pack turning = alone - ((step.Wx * V.x + step.Wy * V.y) +
                                    (step.Wz * V.z + (step.Wa * V.a + step.Wb * V.b)));
      step.v = turning - V.c;
      V.c = turning;
    }
    step.V = V, step.gx = moving.gx, step.gy = moving.gy;
  }
  // What the next segment's first pin finds inboard.
  for_segment_way<kPlanar>(segments.next, [&]<int kWay>() {
    const auto& first = work.steps.front();
    carry_motion<kWay>(segments.next, next_lane(first.s), next_lane(first.c), V);
  });
  work.steps.front().v -= lane_before(V.c);
}

// Back to the ground with P, momentum, and the first moments of all behind:
//   pdot = -(V x* P)_c + (m x g)_c
template <bool kPlanar>
inline void back(const Segments& segments, const Pinned<kPinned<kPlanar>>& y,
                 const AcrossLanes<kPlanar>& across, SegmentWork<kPlanar>& work) {
  using O = Out<Pack, kPlanar>;
  const auto& front = work.steps.front();
  Entries<kPlanar> handed_out;
  for (std::size_t i = 0; i < y.size(); ++i) handed_out[i] = y[i];
  handed_out.back() = next_lane(front.p);
  auto P = from_entries(handed_out);
  Articulated<Pack, O> m;  // first moments only
  m.mx = across.mx, m.my = across.my, m.mz = across.mz;
  const auto carry = [&](const Pin<Pack>& pin, const Pack& s, const Pack& c) {
    for_segment_way<kPlanar>(pin, [&]<int kWay>() {
      carry_force<kWay>(pin, s, c, P);
      carry_moments<kWay>(pin, s, c, m);
    });
  };
  carry(segments.next, next_lane(front.s), next_lane(front.c));
  for (std::size_t k = segments.pins.size(); k-- > 0;) {
    const auto& pin = segments.pins[k];
    auto& step = work.steps[k];
    const auto& V = step.V;
    P.x += pin.mass * V.x - pin.my * V.c;
    P.y += pin.mass * V.y + pin.mx * V.c;
    P.z += pin.mass * V.z + (pin.my * V.a - pin.mx * V.b);
    P.a += pin.my * V.z + (pin.Jxx * V.a + pin.Jxy * V.b + O(pin.Jxz) * V.c);
    P.b += (pin.Jxy * V.a + O(pin.Jyz) * V.c) - pin.mx * V.z;
    P.c = step.p;
    m.mx += pin.mx, m.my += pin.my;
    step.p_dot =
        (m.mx * step.gy - m.my * step.gx) - ((V.x * P.y - V.y * P.x) + (V.a * P.b - V.b * P.a));
    if (k > 0) carry(pin, step.s, step.c);
  }
}

// All of it; the state is in the steps.
template <bool kPlanar>
inline void move_segments(const Segments& segments, SegmentWork<kPlanar>& work) {
  constexpr std::size_t n = kPinned<kPlanar>;
  constexpr std::size_t kBlock = 16;  // steps that stay in the nearest cache
  const auto& front = work.steps.front();
  Articulated<Pack, Out<Pack, kPlanar>> m;
  OpenEnd<kPlanar> end;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) end.Psi[i][j] = Pack(0.0);
    end.f[i] = Pack(0.0);
  }
  end.F[0].x = end.F[1].y = Pack(1.0);
  if constexpr (!kPlanar) end.F[2].z = end.F[3].a = end.F[4].b = Pack(1.0);
  Turned<kPlanar> R;
  m.D.c = next_lane(front.p);
  for_segment_way<kPlanar>(segments.next, [&]<int kWay>() {
    const Pack s = next_lane(front.s), c = next_lane(front.c);
    for (auto& F : end.F) carry_pinned<kWay>(segments.next, s, c, F);
    carry_force<kWay>(segments.next, s, c, m.D);
    carry_moments<kWay>(segments.next, s, c, m);
    carry_turned<kWay>(segments.next, s, c, R);
  });
  for (std::size_t last = segments.pins.size(); last > 1;) {
    const std::size_t first = last > kBlock + 1 ? last - kBlock : 1;
    inwards(segments, first, last, work, m, end, R);
    last = first;
  }
  add_rigid(segments.pins.front(), m);

  const FirstBody<kPlanar> body(m);
  auto compound = compound_of(body, m, end, front.p);
  join<1>(compound, work.joined[0]);
  join<2>(compound, work.joined[1]);
  join<4>(compound, work.joined[2]);
  Pinned<n> T_1, T_2;
  close(compound, T_1, T_2);
  part<4>(work.joined[2], T_1, T_2);
  part<2>(work.joined[1], T_1, T_2);
  part<1>(work.joined[0], T_1, T_2);

  //   M V = P - D - F y,     y = -T_2
  Pinned<n> y;
  for (std::size_t i = 0; i < n; ++i) y[i] = -T_2[i];
  auto V = entries_of(m.D);
  for (std::size_t i = 0; i < n; ++i) V[i] = T_1[i] - V[i];
  V[n] = front.p - V[n];
  for (std::size_t j = 0; j < n; ++j) {
    const auto F = entries_of(end.F[j]);
    for (std::size_t i = 0; i <= n; ++i) V[i] -= F[i] * y[j];
  }
  body.solve(V);
  const auto across = go_across(segments, front, R, m);
  work.potential = across.potential;
  outwards(segments, y, {from_entries(V), across.gx, across.gy, across.gz}, work);
  back(segments, y, across, work);
}

template <bool kPlanar>
inline bool move(const Segments& segments, const Request<double>& asked,
                 SegmentWork<kPlanar>& work) {
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    take_state(segments, k, asked, work.steps[k].s, work.steps[k].c, work.steps[k].p);
  move_segments(segments, work);
  Pack sum(0.0);
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    sum += give_rates(segments, k, work.steps[k].v, work.steps[k].p_dot, asked);
  return sum_of_lanes(sum) == 0.0;
}

}  // namespace hamiltree::screws
