// Open rows: a cut opens them at both of its bodies, they meet, and they close.
#pragma once

#include "hamiltree/formulations/kernel/lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

// Pivots below this part of the trace say that rows cannot close while the body stands still: as
// many digits are lost.
inline constexpr double kHeldPivot = 1e-5;

inline void clear(Rows& rows) {
  for (auto& F : rows.F) store(Eight{}, F);
  for (auto& Psi : rows.Psi) store(Eight{}, Psi);
  store(Eight{}, rows.b);
}

inline void add(const Eight* F, Eight b, Rows& rows) {
  for (int m = 0; m < 6; ++m) store(load(rows.F[m]) + F[m], rows.F[m]);
  store(load(rows.b) + b, rows.b);
}

// The three rows of a point, forces along the world's axes, in lanes from kLane on.
//   F = s [1; l~]
template <int kLane>
inline void open_ball(const CutWork& w, double sign, Four l, bool takes_gap, Rows& rows) {
  const Four minus = -l;  // lane 3 is 0
  const Eight F[6] = {three_lanes<kLane>(Four{sign, 0.0, 0.0, 0.0}),
                      three_lanes<kLane>(Four{0.0, sign, 0.0, 0.0}),
                      three_lanes<kLane>(Four{0.0, 0.0, sign, 0.0}),
                      three_lanes<kLane>(shuffled<3, 6, 1, 3>(l, minus)),
                      three_lanes<kLane>(shuffled<2, 3, 4, 3>(l, minus)),
                      three_lanes<kLane>(shuffled<5, 0, 3, 3>(l, minus))};
  Eight b{};
  if (takes_gap) {
    const Four axes[3] = {load(w.E[0]), load(w.E[1]), load(w.E[2])};
    b = three_lanes<kLane>(turned(axes, w.gap));
  }
  add(F, b, rows);
}
inline void open_ball(const Cut& cut, const CutWork& w, const Event& event, Rows& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]) * sign;
  switch (cut.lane) {
    case 0:
      return open_ball<0>(w, sign, l, event.takes_gap, rows);
    case 1:
      return open_ball<1>(w, sign, l, event.takes_gap, rows);
    case 2:
      return open_ball<2>(w, sign, l, event.takes_gap, rows);
    case 3:
      return open_ball<3>(w, sign, l, event.takes_gap, rows);
    case 4:
      return open_ball<4>(w, sign, l, event.takes_gap, rows);
    default:
      return open_ball<5>(w, sign, l, event.takes_gap, rows);
  }
}

// Force and moment of a row about the joint's point, for a unit of its sigma.
struct Wrench {
  Four force, moment;
};
inline Wrench wrench_of(const CutRow& row, const CutWork& w) {
  if (row.component >= 3) return {Four{}, load(w.E[row.component - 3])};
  const Four axis = load(w.E[row.component]);
  return {axis, axis * row.advance};
}

inline void open_any(const Cut& cut, const CutWork& w, const Event& event, Rows& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]);
  Eight G[kLaneCount] = {};
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    const auto [force, moment] = wrench_of(cut.rows[i], w);
    const double gap = event.takes_gap ? w.gap[i] : 0.0;
    G[cut.rows[i].lane] =
        join(force * sign + Four{0.0, 0.0, 0.0, gap}, (moment + cross(l, force)) * sign);
  }
  transpose(G);
  const Eight F[6] = {G[0], G[1], G[2], G[4], G[5], G[6]};
  add(F, G[3], rows);
}

inline void open(const Tables& tables, const Event& event, Work& work) {
  auto& rows = work.rows[at(event.rows)];
  if (event.empty) clear(rows);
  const auto& cut = tables.cuts[at(event.cut)];
  const auto& w = work.cuts[at(event.cut)];
  if (cut.is_coupling) {  // bodies feel nothing of it
    if (event.takes_gap) rows.b.lane[cut.lane] += w.gap[0];
  } else if (cut.is_ball) {
    open_ball(cut, w, event, rows);
  } else {
    open_any(cut, w, event, rows);
  }
}

inline void merge(const Event& event, Work& work) {
  auto& rows = work.rows[at(event.rows)];
  const auto& other = work.rows[at(event.other)];
  if (event.empty) clear(rows);
  if (!event.of_ground)
    for (int m = 0; m < 6; ++m) store(load(rows.F[m]) + load(other.F[m]), rows.F[m]);
  for (int i = 0; i < event.closing; ++i) {
    const int lane = event.lane[at(i)];
    store(load(rows.Psi[lane]) + load(other.Psi[lane]), rows.Psi[lane]);
  }
  store(load(rows.b) + load(other.b), rows.b);
}

// Below which pivots are masked.
inline double least_pivot(const Event& event, const Rows& rows, const Closed& closed, double mask) {
  double trace = 0.0;
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = event.lane[at(k)];
    trace += event.weight[lane] * rows.Psi[lane].lane[lane];
  }
  if (!event.held) return mask * trace;
  return kHeldPivot * (trace > closed.reference ? trace : closed.reference);
}

// 1/d, or 0 where the pivot is lost.
inline double inverse_of(const Event& event, std::size_t lane, double d, double least, Work& work) {
  const bool is_lost = !(least < event.weight[lane] * d);
  work.held |= is_lost && event.held;
  return is_lost ? 0.0 : 1.0 / d;
}

inline void add_stiffness(const Eight& G, const Lanes& entries, double inverse, Eight* M) {
  const Eight scaled = G * inverse;
  for (int m = 0; m < 6; ++m) M[m] += scaled * entries.lane[lane_of(m)];
}

// Eliminates rows in the order of their lanes, and adds their stiffness to M:
//   Psi = L d L^T,  M += G^T Psi^-1 G
// All that are open, in lanes 0 to n - 1.
template <int n>
inline void close_in_order(const Event& event, Rows& rows, Closed& closed, Eight* M, Work& work) {
  const double least = least_pivot(event, rows, closed, work.mask);
  Eight G[kLaneCount] = {load(rows.F[0]), load(rows.F[1]), load(rows.F[2]), load(rows.b),
                         load(rows.F[3]), load(rows.F[4]), load(rows.F[5]), Eight{}};
  transpose(G);
  Eight Psi[n];
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) Psi[k] = load(rows.Psi[k]);
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) {
    store(Psi[k], closed.L[k]);
    store(G[k], closed.G[k]);
    const double inverse = inverse_of(event, at(k), closed.L[k].lane[k], least, work);
    closed.inverse[k] = inverse;
#pragma GCC unroll 8
    for (int i = k + 1; i < n; ++i) {
      const double f = closed.L[k].lane[i] * inverse;
      Psi[i] -= Psi[k] * f;
      G[i] -= G[k] * f;
    }
    add_stiffness(G[k], closed.G[k], inverse, M);
  }
}

// Any that are open.
inline void close_any(const Event& event, Rows& rows, Closed& closed, Eight* M, Work& work) {
  const double least = least_pivot(event, rows, closed, work.mask);
  Eight G[kLaneCount] = {load(rows.F[0]), load(rows.F[1]), load(rows.F[2]), load(rows.b),
                         load(rows.F[3]), load(rows.F[4]), load(rows.F[5]), Eight{}};
  transpose(G);
  for (int k = 0; k < kLaneCount; ++k) store(G[k], closed.G[k]);
  const int all = event.closing + event.staying;
  for (int k = 0; k < event.closing; ++k) {
    const auto j = event.lane[at(k)];
    const Eight Psi = load(rows.Psi[j]), row = load(closed.G[j]);
    store(Psi, closed.L[j]);
    const double inverse = inverse_of(event, j, closed.L[j].lane[j], least, work);
    closed.inverse[j] = inverse;
    for (int i = k + 1; i < all; ++i) {
      const auto h = event.lane[at(i)];
      const double f = closed.L[j].lane[h] * inverse;
      store(load(rows.Psi[h]) - Psi * f, rows.Psi[h]);
      store(load(closed.G[h]) - row * f, closed.G[h]);
    }
    if (M != nullptr) add_stiffness(row, closed.G[j], inverse, M);
  }
  if (event.staying == 0) return;
  Eight rest[kLaneCount] = {};
  for (int k = event.closing; k < all; ++k)
    rest[event.lane[at(k)]] = load(closed.G[event.lane[at(k)]]);
  transpose(rest);
  for (int m = 0; m < 6; ++m) store(rest[lane_of(m)], rows.F[m]);
  store(rest[kFourth], rows.b);
  for (int k = 0; k < event.closing; ++k) {
    for (int i = event.closing; i < all; ++i)
      rows.Psi[event.lane[at(i)]].lane[event.lane[at(k)]] = 0.0;
    store(Eight{}, rows.Psi[event.lane[at(k)]]);
  }
}

inline void close(const Event& event, Eight* M, Work& work) {
  auto& rows = work.rows[at(event.rows)];
  auto& closed = work.closed[at(event.closed)];
  if (event.in_order && M != nullptr) {
    switch (event.closing) {
      case 2:
        return close_in_order<2>(event, rows, closed, M, work);
      case 3:
        return close_in_order<3>(event, rows, closed, M, work);
      case 4:
        return close_in_order<4>(event, rows, closed, M, work);
      case 6:
        return close_in_order<6>(event, rows, closed, M, work);
      default:
        break;
    }
  }
  close_any(event, rows, closed, M, work);
}

// sigma of the rows that closed, from the motion [v 1 | w 0] of the body and those of rows that
// stayed open:  G V + b + Psi sigma = 0
template <int n>
inline void find_impulses_in_order(const Closed& closed, const Eight& V, Lanes& impulses) {
  double sigma[kLaneCount] = {};
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) sigma[k] = dot(load(closed.G[k]), V);
#pragma GCC unroll 8
  for (int k = n - 1; k >= 0; --k) {
    double opening = sigma[k];
#pragma GCC unroll 8
    for (int i = k + 1; i < n; ++i) opening += closed.L[k].lane[i] * sigma[i];
    sigma[k] = -closed.inverse[k] * opening;
  }
  store(join(Four{sigma[0], sigma[1], sigma[2], sigma[3]},
             Four{sigma[4], sigma[5], sigma[6], sigma[7]}),
        impulses);
}
inline void find_impulses(const Event& event, const Eight& V, Work& work) {
  const auto& closed = work.closed[at(event.closed)];
  auto& impulses = work.impulses[at(event.impulses)];
  if (event.in_order) {
    switch (event.closing) {
      case 2:
        return find_impulses_in_order<2>(closed, V, impulses);
      case 3:
        return find_impulses_in_order<3>(closed, V, impulses);
      case 4:
        return find_impulses_in_order<4>(closed, V, impulses);
      case 6:
        return find_impulses_in_order<6>(closed, V, impulses);
      default:
        break;
    }
  }
  const int all = event.closing + event.staying;
  const auto& known = work.impulses[at(event.known_impulses)];
  double sigma[kLaneCount] = {}, opening[kLaneCount];
  for (int k = event.closing; k < all; ++k)
    sigma[event.lane[at(k)]] = known.lane[event.lane[at(k)]];
  for (int k = 0; k < event.closing; ++k) opening[k] = dot(load(closed.G[event.lane[at(k)]]), V);
  for (int k = event.closing - 1; k >= 0; --k) {
    const auto j = event.lane[at(k)];
    for (int i = k + 1; i < all; ++i)
      opening[k] += closed.L[j].lane[event.lane[at(i)]] * sigma[event.lane[at(i)]];
    sigma[j] = -closed.inverse[j] * opening[k];
  }
  std::memcpy(&impulses, sigma, sizeof(sigma));
}

}  // namespace hamiltree::kernel
