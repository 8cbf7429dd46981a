// Open rows that close at a body: they are eliminated inwards, and on the way outwards their
// impulses are found.
#pragma once

#include "hamiltree/formulations/kernel/row_lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

// Pivots below this part of what rows like them open by say that rows cannot close while the body
// stands still. The digits that a pivot lacks are lost twice, where the rows' stiffness joins that
// of the body and where its motion gives their impulses: rates keep nine.
inline constexpr double kHeldPivot = 3e-4;

// By lane: below which pivots are masked, or where rows are held, lost.
template <int n>
struct LeastPivots {
  Unset<Number, n> of;
};
template <int n>
inline LeastPivots<n> least_pivots(const Event& event, const Rows<n>& rows, const Closed<n>& closed,
                                   double mask) {
  LeastPivots<n> least;
  // The first lane of those whose pivots compare, which come after it.
  const auto first_of = [&](int lane) {
    return event.held ? event.alike[at(lane)] : event.lane[0];
  };
  for (int k = 0; k < event.closing; ++k) {
    const int lane = event.lane[at(k)], first = first_of(lane);
    const Number pivot = event.weight[at(lane)] * rows.Psi[lane].lane[lane];
    least.of[first] = lane == first ? pivot : least.of[first] + pivot;
  }
  for (int k = 0; k < event.closing; ++k) {
    const int lane = event.lane[at(k)], first = first_of(lane);
    if (lane != first) {
      least.of[lane] = least.of[first];
    } else if (event.held) {
      least.of[lane] = kHeldPivot * larger(least.of[lane], closed.reference[lane]);
    } else {
      least.of[lane] = mask * least.of[lane];
    }
  }
  return least;
}

// 1/d, or 0 where the pivot is lost.
inline Real inverse_of(const Event& event, std::size_t lane, Real d, Number least, Work& work) {
  const auto is_kept = least < event.weight[lane] * d;
  if (event.held) hold_unless(is_kept, work.held);
  return inverse_where(is_kept, d);
}

inline void add_stiffness(const Eight& G, const Lanes& entries, Real inverse, Eight* M) {
  const Eight scaled = G * inverse;
  for (int m = 0; m < 6; ++m) M[m] += scaled * entries.lane[lane_of(m)];
}

#ifndef HAMILTREE_STATES
// Eliminates rows in the order of their lanes, and adds their stiffness to M:
//   Psi = L d L^T,  M += G^T Psi^-1 G
// All that are open, in lanes 0 to n - 1 of eight.
template <int n>
inline void close_in_order(const Event& event, Rows<kLaneCount>& rows, Closed<kLaneCount>& closed,
                           Eight* M, Work& work) {
  const auto least = least_pivots(event, rows, closed, work.mask);
  Eight G[kLaneCount];
  load_rows(rows, G);
  Eight Psi[n];
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) Psi[k] = load(rows.Psi[k]);
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) {
    store(Psi[k], closed.L[k]);
    store(G[k], closed.G[k]);
    const Real inverse = inverse_of(event, at(k), closed.L[k].lane[k], least.of[k], work);
    closed.inverse[k] = inverse;
#pragma GCC unroll 8
    for (int i = k + 1; i < n; ++i) {
      const Real f = closed.L[k].lane[i] * inverse;
      Psi[i] -= Psi[k] * f;
      G[i] -= G[k] * f;
    }
    add_stiffness(G[k], closed.G[k], inverse, M);
  }
}

#endif

// Takes the rows that closed out of those that stay open:  F -= G^T d^-1 L,  b likewise
template <int n>
inline void leave_open(const Event& event, const Closed<n>& closed, Rows<n>& rows) {
  for_each_part(event.lane.data() + event.closing, event.staying, [&](auto part) {
    Unset<Open<n>, 6> F;
    for (int m = 0; m < 6; ++m) F[m] = load(rows.F[m], part);
    Open<n> b = load(rows.b, part);
    for (int k = 0; k < event.closing; ++k) {
      const auto j = event.lane[at(k)];
      const Open<n> scaled = load(closed.L[j], part) * closed.inverse[j];
      for (int m = 0; m < 6; ++m) F[m] -= scaled * closed.G[j].lane[lane_of(m)];
      b -= scaled * closed.G[j].lane[kFourth];
    }
    for (int m = 0; m < 6; ++m) store(staying<n>(event, F[m]), rows.F[m], part);
    store(staying<n>(event, b), rows.b, part);
  });
  drop_closed(event, rows);
}

// Any that are open.
template <int n>
inline void close_any(const Event& event, Rows<n>& rows, Closed<n>& closed, Eight* M, Work& work) {
  const auto least = least_pivots(event, rows, closed, work.mask);
  take_rows(event, rows, closed.G);
  const int all = event.closing + event.staying;
  for (int k = 0; k < event.closing; ++k) {
    const auto j = event.lane[at(k)];
    const auto* lanes = event.lane.data() + k;  // those that are not eliminated yet
    const Eight row = load(closed.G[j]);
    const auto Psi = keep(
        lanes, all - k, [&](auto part) { return load(rows.Psi[j], part); }, closed.L[j]);
    const Real inverse = inverse_of(event, j, closed.L[j].lane[j], least.of[j], work);
    closed.inverse[j] = inverse;
    for (int i = k + 1; i < all; ++i) {
      const auto h = event.lane[at(i)];
      const Real f = closed.L[j].lane[h] * inverse;
      for_each_part(lanes + 1, all - k - 1, [&](auto part) {
        store(load(rows.Psi[h], part) - Psi(part) * f, rows.Psi[h], part);
      });
      if (i < event.closing) store(load(closed.G[h]) - row * f, closed.G[h]);
    }
    if (M != nullptr) add_stiffness(row, closed.G[j], inverse, M);
  }
  if (event.staying > 0) leave_open(event, closed, rows);
}

template <int n>
inline void close(const Event& event, Eight* M, Work& work) {
  auto& rows = work.open<n>().rows[at(event.rows)];
  auto& closed = work.open<n>().closed[at(event.closed)];
  if constexpr (n == kLaneCount) {
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
  }
  close_any(event, rows, closed, M, work);
}

#ifndef HAMILTREE_STATES
// sigma of the rows that closed, from the motion [v 1 | w 0] of the body and those of rows that
// stayed open:  G V + b + Psi sigma = 0
template <int n>
inline void find_impulses_in_order(const Closed<kLaneCount>& closed, const Eight& V,
                                   double* impulses) {
  Real sigma[kLaneCount] = {};
#pragma GCC unroll 8
  for (int k = 0; k < n; ++k) sigma[k] = dot(load(closed.G[k]), V);
#pragma GCC unroll 8
  for (int k = n - 1; k >= 0; --k) {
    Real opening = sigma[k];
#pragma GCC unroll 8
    for (int i = n - 1; i > k; --i) opening += closed.L[k].lane[i] * sigma[i];
    sigma[k] = -closed.inverse[k] * opening;
  }
  store(Four{sigma[0], sigma[1], sigma[2], sigma[3]}, impulses);
  store(Four{sigma[4], sigma[5], sigma[6], sigma[7]}, impulses + 4);
}
#endif
template <int n>
inline void find_impulses(const Event& event, const Eight& V, Work& work) {
  const auto& closed = work.open<n>().closed[at(event.closed)];
  Number* impulses = work.impulses_of(event.impulses);
  if constexpr (n == kLaneCount) {
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
  }
  const int all = event.closing + event.staying;
  const Number* known = work.impulses_of(event.known_impulses);
  RowNumbers<n> sigma;
  Unset<Real, n> opening;
  for (int k = event.closing; k < all; ++k) sigma.set(event.lane[at(k)], known[event.lane[at(k)]]);
  for (int k = 0; k < event.closing; ++k) opening[k] = dot(load(closed.G[event.lane[at(k)]]), V);
  for (int k = event.closing - 1; k >= 0; --k) {
    const auto j = event.lane[at(k)];
    // The impulse that was found just before comes last: the other products do not wait for it.
    for (int i = all; --i > k;)
      opening[k] += Real(closed.L[j].lane[event.lane[at(i)]]) * sigma.lane[event.lane[at(i)]];
    sigma.set(j, -closed.inverse[j] * opening[k]);
  }
  store(sigma, event, impulses);
}

}  // namespace hamiltree::kernel
