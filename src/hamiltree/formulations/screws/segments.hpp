// One chain in eight lanes: eight segments go inwards side by side, each with what it will hand to
// the next one left open, are joined two by two, and go outwards and back.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/carry.hpp"
#include "hamiltree/formulations/screws/lane_state.hpp"
#include "hamiltree/formulations/screws/passes.hpp"
#include "hamiltree/formulations/screws/segment_work.hpp"

namespace hamiltree::screws {

// What the next segment has there; of the last one and, below, before the first one, zero.
inline Pack next_lane(const Pack& pack) {
  Pack next(0.0);
  for (int lane = 0; lane + 1 < kLanes; ++lane) next.set(lane, pack[lane + 1]);
  return next;
}
inline Pack lane_before(const Pack& pack) {
  Pack before(0.0);
  for (int lane = 1; lane < kLanes; ++lane) before.set(lane, pack[lane - 1]);
  return before;
}

// The two ways that steps take.
template <class F>
inline void for_segment_way(const Pin<Pack>& pin, const F& f) {
  if (pin.way == kAnyWay) {
    f.template operator()<kAnyWay>();
  } else {
    f.template operator()<kMixedWay>();
  }
}

// Momentum that a body hands to the one outboard, y, weighs in on it:
//   P = M V + D + F y,     V_next = F^T V + f - Psi y
struct OpenEnd {
  std::array<Vector6<Pack>, kPinned> F;  // columns
  FiveByFive Psi;                        // lower half
  Five f;
};

// What a vector at the outboard end is at the inboard one: two columns of a rotation.
struct Turned {
  Pack x0, x1, x2, y0, y1, y2;
};

template <int kWay>
inline void carry_turned(const Pin<Pack>& pin, const Pack& s, const Pack& c, Turned& R) {
  const auto carry = [&](Pack& x, Pack& y, Pack& z) {
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
template <int kWay>
inline void carry_pinned(const Pin<Pack>& pin, const Pack& s, const Pack& c, Vector6<Pack>& F) {
  if constexpr (kWay == kAnyWay) {
    F.c = Pack(0.0);
    carry_force<kWay>(pin, s, c, F);
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
template <std::size_t kFrom, std::size_t kTo>
inline void open_columns(const Segments& segments, std::size_t first, std::size_t last,
                         SegmentWork& work, OpenEnd& end) {
  std::array<Vector6<Pack>, kTo - kFrom> columns;
  for (std::size_t j = kFrom; j < kTo; ++j) columns[j - kFrom] = end.F[j];
  for (std::size_t k = last; k-- > first;) {
    const auto& pin = segments.pins[k];
    auto& step = work.steps[k];
    for_segment_way(pin, [&]<int kWay>() {
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
inline void inwards(const Segments& segments, std::size_t first, std::size_t last,
                    SegmentWork& work, Articulated<Pack>& m, OpenEnd& end, Turned& R) {
  // (1)
  {
    auto own = m;
    for (std::size_t k = last; k-- > first;) {
      const auto& pin = segments.pins[k];
      auto& step = work.steps[k];
      add_inertia(pin, own);
      Eliminated<Pack, Pack> e;
      step.inverse = Pack(1.0) / own.Czz;
      eliminate(step.p, own, e);
      step.Wx = e.Wx, step.Wy = e.Wy, step.Wz = e.Wz, step.Wa = e.Wa, step.Wb = e.Wb;
      step.u = e.u;
      for_segment_way(pin, [&]<int kWay>() {
        carry_inertia<kWay>(pin, step.s, step.c, own);
        carry_force<kWay>(pin, step.s, step.c, own.D);
      });
    }
    own.mx = m.mx, own.my = m.my, own.mz = m.mz;
    m = own;
  }
  // (2)
  open_columns<0, 3>(segments, first, last, work, end);
  open_columns<3, kPinned>(segments, first, last, work, end);
  // (3)
  for (std::size_t k = last; k-- > first;) {
    const auto& step = work.steps[k];
#pragma GCC unroll 5
    for (std::size_t i = 0; i < kPinned; ++i) {
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
    for_segment_way(pin, [&]<int kWay>() {
      carry_moments<kWay>(pin, step.s, step.c, m);
      carry_turned<kWay>(pin, step.s, step.c, R);
    });
  }
}

// M of the first body, factored for six directions.
struct FirstBody {
  Pack L[6][6];
  Pack inverse[6];

  void factor(const Articulated<Pack>& m) {
    Pack M[6][6] = {{m.Axx},
                    {m.Axy, m.Ayy},
                    {m.Axz, m.Ayz, m.Azz},
                    {m.Bxx, m.Byx, m.Bzx, m.Cxx},
                    {m.Bxy, m.Byy, m.Bzy, m.Cxy, m.Cyy},
                    {m.Bxz, m.Byz, m.Bzz, m.Cxz, m.Cyz, m.Czz}};
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      inverse[j] = Pack(1.0) / M[j][j];
#pragma GCC unroll 6
      for (int i = j + 1; i < 6; ++i) {
        L[i][j] = M[i][j] * inverse[j];
#pragma GCC unroll 6
        for (int k = j + 1; k <= i; ++k) M[i][k] -= L[i][j] * M[k][j];
      }
    }
  }
  // x <- L^-1 x
  void forward(Pack (&x)[6]) const {
#pragma GCC unroll 6
    for (int i = 1; i < 6; ++i) {
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) x[i] -= L[i][j] * x[j];
    }
  }
  // x <- M^-1 x
  void solve(Pack (&x)[6]) const {
    forward(x);
#pragma GCC unroll 6
    for (int i = 5; i >= 0; --i) {
      x[i] *= inverse[i];
#pragma GCC unroll 6
      for (int j = i + 1; j < 6; ++j) x[i] -= L[j][i] * x[j];
    }
  }
};

// The segment as a compound, p the momentum of its first pin:
//   (1)  a = E^T M^-1 E,  b = E^T M^-1 F,  c = Psi + F^T M^-1 F       E: the directions of T
//   (2)  x = E^T M^-1 (p e_c - D),  y = F^T M^-1 (p e_c - D) + f
// as sums over N = L^-1 [E F, p e_c - D] with weights 1 / d.
inline Compound compound_of(const FirstBody& body, const Articulated<Pack>& m, const OpenEnd& end,
                            const Pack& p) {
  Pack N[2 * kPinned][6];
#pragma GCC unroll 6
  for (std::size_t j = 0; j < kPinned; ++j) {
    for (auto& entry : N[j]) entry = Pack(0.0);
    N[j][j] = Pack(1.0);
    body.forward(N[j]);
    const auto& F = end.F[j];
    Pack* column = N[kPinned + j];
    column[0] = F.x, column[1] = F.y, column[2] = F.z;
    column[3] = F.a, column[4] = F.b, column[5] = F.c;
    body.forward(N[kPinned + j]);
  }
  Pack rest[6] = {-m.D.x, -m.D.y, -m.D.z, -m.D.a, -m.D.b, p - m.D.c};
  body.forward(rest);
  Compound X;
  const auto times = [](const Pack(&x)[6], const Pack(&y)[6]) {
    return ((x[0] * y[0] + x[1] * y[1]) + (x[2] * y[2] + x[3] * y[3])) +
           (x[4] * y[4] + x[5] * y[5]);
  };
#pragma GCC unroll 6
  for (std::size_t i = 0; i < kPinned; ++i) {
    Pack E[6], F[6];
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) {
      E[k] = body.inverse[k] * N[i][k];
      F[k] = body.inverse[k] * N[kPinned + i][k];
    }
#pragma GCC unroll 6
    for (std::size_t j = 0; j < kPinned; ++j) {
      if (j <= i) X.a[i][j] = times(E, N[j]);
      X.b[i][j] = times(E, N[kPinned + j]);
      if (j <= i) X.c[i][j] = end.Psi[i][j] + times(F, N[kPinned + j]);
    }
    X.x[i] = times(E, rest);
    X.y[i] = times(F, rest) + end.f[i];
  }
  return X;
}

// Gravity in the axes of every segment's first body, and the first moments of all behind its last
// one, in the axes of the next segment's first: along the lanes, one by one.
struct AcrossLanes {
  Pack gx, gy, gz;
  Pack mx, my, mz;
};

inline AcrossLanes go_across(const Segments& segments, const SegmentStep& first, const Turned& R,
                             const Articulated<Pack>& m) {
  AcrossLanes across;
  double g[3] = {segments.gravity[0], segments.gravity[1], segments.gravity[2]};
  turn_back(g[0], g[1], g[2], segments.root);
  turn_back(g[0], g[1], double(first.s[0]), double(first.c[0]));
  double Rs[kLanes][9];
  for (int lane = 0; lane < kLanes; ++lane) {
    auto& A = Rs[lane];
    A[0] = R.x0[lane], A[3] = R.x1[lane], A[6] = R.x2[lane];
    A[1] = R.y0[lane], A[4] = R.y1[lane], A[7] = R.y2[lane];
    A[2] = A[3] * A[7] - A[6] * A[4];
    A[5] = A[6] * A[1] - A[0] * A[7];
    A[8] = A[0] * A[4] - A[3] * A[1];
    across.gx.set(lane, g[0]), across.gy.set(lane, g[1]), across.gz.set(lane, g[2]);
    const double x = A[0] * g[0] + A[3] * g[1] + A[6] * g[2];
    const double y = A[1] * g[0] + A[4] * g[1] + A[7] * g[2];
    g[2] = A[2] * g[0] + A[5] * g[1] + A[8] * g[2];
    g[0] = x, g[1] = y;
  }
  double behind[3] = {0.0, 0.0, 0.0};
  for (int lane = kLanes - 1; lane >= 0; --lane) {
    const auto& A = Rs[lane];
    across.mx.set(lane, behind[0]), across.my.set(lane, behind[1]), across.mz.set(lane, behind[2]);
    const double x = m.mx[lane] + A[0] * behind[0] + A[1] * behind[1] + A[2] * behind[2];
    const double y = m.my[lane] + A[3] * behind[0] + A[4] * behind[1] + A[5] * behind[2];
    behind[2] = m.mz[lane] + A[6] * behind[0] + A[7] * behind[1] + A[8] * behind[2];
    behind[0] = x, behind[1] = y;
  }
  return across;
}

// V of the first body is known; y is what the segment hands out.
inline void outwards(const Segments& segments, const Five& y, Moving<Pack, Pack> moving,
                     SegmentWork& work) {
  auto& V = moving.V;
  for (std::size_t k = 0; k < segments.pins.size(); ++k) {
    const auto& pin = segments.pins[k];
    auto& step = work.steps[k];
    if (k == 0) {
      step.v = V.c;  // less what the body inboard turns about the pin, which comes last
    } else {
      const Pack open =
          ((step.phi[0] * y[0] + step.phi[1] * y[1]) + (step.phi[2] * y[2] + step.phi[3] * y[3])) +
          step.phi[4] * y[4];
      const Pack alone = step.u - step.inverse * open;
      for_segment_way(pin, [&]<int kWay>() {
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
  for_segment_way(segments.next, [&]<int kWay>() {
    const auto& first = work.steps.front();
    carry_motion<kWay>(segments.next, next_lane(first.s), next_lane(first.c), V);
  });
  work.steps.front().v -= lane_before(V.c);
}

// Back to the ground with P, momentum, and the first moments of all behind:
//   pdot = -(V x* P)_c + (m x g)_c
inline void back(const Segments& segments, const Five& y, const AcrossLanes& across,
                 SegmentWork& work) {
  const auto& front = work.steps.front();
  Vector6<Pack> P{y[0], y[1], y[2], y[3], y[4], next_lane(front.p)};
  Articulated<Pack> m;  // first moments only
  m.mx = across.mx, m.my = across.my, m.mz = across.mz;
  const auto carry = [&](const Pin<Pack>& pin, const Pack& s, const Pack& c) {
    for_segment_way(pin, [&]<int kWay>() {
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
    P.a += pin.my * V.z + (pin.Jxx * V.a + pin.Jxy * V.b + pin.Jxz * V.c);
    P.b += (pin.Jxy * V.a + pin.Jyz * V.c) - pin.mx * V.z;
    P.c = step.p;
    m.mx += pin.mx, m.my += pin.my;
    step.p_dot =
        (m.mx * step.gy - m.my * step.gx) - ((V.x * P.y - V.y * P.x) + (V.a * P.b - V.b * P.a));
    if (k > 0) carry(pin, step.s, step.c);
  }
}

// All of it; the state is in the steps.
inline void move_segments(const Segments& segments, SegmentWork& work) {
  constexpr std::size_t kBlock = 16;  // steps that stay in the nearest cache
  const auto& front = work.steps.front();
  Articulated<Pack> m;
  OpenEnd end;
  for (std::size_t i = 0; i < kPinned; ++i) {
    for (std::size_t j = 0; j <= i; ++j) end.Psi[i][j] = Pack(0.0);
    end.f[i] = Pack(0.0);
  }
  end.F[0].x = end.F[1].y = end.F[2].z = end.F[3].a = end.F[4].b = Pack(1.0);
  Turned R{Pack(1.0), Pack(0.0), Pack(0.0), Pack(0.0), Pack(1.0), Pack(0.0)};
  m.D.c = next_lane(front.p);
  for_segment_way(segments.next, [&]<int kWay>() {
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

  FirstBody body;
  body.factor(m);
  auto compound = compound_of(body, m, end, front.p);
  join<1>(compound, work.joined[0]);
  join<2>(compound, work.joined[1]);
  join<4>(compound, work.joined[2]);
  // Nothing beyond the tip, and a pin on the ground: V_1 = a T_1 + x = 0.
  const auto ground = factor(compound.a);
  Five T_1, T_2;
  for (std::size_t i = 0; i < kPinned; ++i) T_1[i] = -compound.x[i], T_2[i] = Pack(0.0);
  forward(ground, T_1);
  for (std::size_t i = 0; i < kPinned; ++i) T_1[i] *= ground.inverse[i];
  backward(ground, T_1);
  part<4>(work.joined[2], T_1, T_2);
  part<2>(work.joined[1], T_1, T_2);
  part<1>(work.joined[0], T_1, T_2);

  //   M V = P - D - F y,     y = -T_2
  Five y;
  for (std::size_t i = 0; i < kPinned; ++i) y[i] = -T_2[i];
  Pack V[6] = {T_1[0] - m.D.x, T_1[1] - m.D.y, T_1[2] - m.D.z,
               T_1[3] - m.D.a, T_1[4] - m.D.b, front.p - m.D.c};
  for (std::size_t j = 0; j < kPinned; ++j) {
    const auto& F = end.F[j];
    V[0] -= F.x * y[j], V[1] -= F.y * y[j], V[2] -= F.z * y[j];
    V[3] -= F.a * y[j], V[4] -= F.b * y[j], V[5] -= F.c * y[j];
  }
  body.solve(V);
  const auto across = go_across(segments, front, R, m);
  outwards(segments, y, {{V[0], V[1], V[2], V[3], V[4], V[5]}, across.gx, across.gy, across.gz},
           work);
  back(segments, y, across, work);
}

inline bool move(const Segments& segments, const Request<double>& asked, SegmentWork& work) {
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    take_state(segments, k, asked, work.steps[k].s, work.steps[k].c, work.steps[k].p);
  move_segments(segments, work);
  Pack sum(0.0);
  for (std::size_t k = 0; k < work.steps.size(); ++k)
    sum += give_rates(segments, k, work.steps[k].v, work.steps[k].p_dot, asked);
  return sum_of_lanes(sum) == 0.0;
}

}  // namespace hamiltree::screws
