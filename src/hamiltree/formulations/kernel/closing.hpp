// Open rows that close at a body: they are eliminated inwards, and on the way outwards their
// impulses are found.
#pragma once

#include "hamiltree/formulations/kernel/row_lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

// Pivots below this part of what rows like them open by say that rows cannot close while the body
// stands still: as many digits are lost.
inline constexpr double kHeldPivot = 1e-5;

// By lane: below which pivots are masked, or where rows are held, lost.
template <int n>
struct LeastPivots {
  double of[n];
};
template <int n>
inline LeastPivots<n> least_pivots(const Event& event, const Rows<n>& rows, const Closed<n>& closed,
                                   double mask) {
  LeastPivots<n> least;
  double trace[n] = {};  // of rows that are alike
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = event.lane[at(k)];
    trace[event.held ? event.alike[lane] : 0] += event.weight[lane] * rows.Psi[lane].lane[lane];
  }
  for (int k = 0; k < event.closing; ++k) {
    const auto lane = event.lane[at(k)], alike = event.alike[lane];
    const double reference = closed.reference[alike];
    least.of[lane] = event.held ? kHeldPivot * (trace[alike] > reference ? trace[alike] : reference)
                                : mask * trace[0];
  }
  return least;
}

// 1/d, or 0 where the pivot is lost.
inline Real inverse_of(const Event& event, std::size_t lane, Real d, double least, Work& work) {
  const bool is_lost = !(least < event.weight[lane] * d);
  work.held |= is_lost && event.held;
  return is_lost ? Real(0.0) : 1.0 / d;
}

inline void add_stiffness(const Eight& G, const Lanes& entries, Real inverse, Eight* M) {
  const Eight scaled = G * inverse;
  for (int m = 0; m < 6; ++m) M[m] += scaled * entries.lane[lane_of(m)];
}

template <int n>
inline void load_rows(const Rows<n>& rows, Eight* G) {
  const Open<n> F[6] = {load(rows.F[0]), load(rows.F[1]), load(rows.F[2]),
                        load(rows.F[3]), load(rows.F[4]), load(rows.F[5])};
  rows_from_lanes<n>(F, load(rows.b), G);
}

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

// Any that are open.
template <int n>
inline void close_any(const Event& event, Rows<n>& rows, Closed<n>& closed, Eight* M, Work& work) {
  const auto least = least_pivots(event, rows, closed, work.mask);
  Eight G[n];
  load_rows(rows, G);
  for (int k = 0; k < n; ++k) store(G[k], closed.G[k]);
  const int all = event.closing + event.staying;
  for (int k = 0; k < event.closing; ++k) {
    const auto j = event.lane[at(k)];
    const Open<n> Psi = load(rows.Psi[j]);
    const Eight row = load(closed.G[j]);
    store(Psi, closed.L[j]);
    const Real inverse = inverse_of(event, j, closed.L[j].lane[j], least.of[j], work);
    closed.inverse[j] = inverse;
    for (int i = k + 1; i < all; ++i) {
      const auto h = event.lane[at(i)];
      const Real f = closed.L[j].lane[h] * inverse;
      store(load(rows.Psi[h]) - Psi * f, rows.Psi[h]);
      store(load(closed.G[h]) - row * f, closed.G[h]);
    }
    if (M != nullptr) add_stiffness(row, closed.G[j], inverse, M);
  }
  if (event.staying == 0) return;
  Eight rest[n] = {};
  for (int k = event.closing; k < all; ++k)
    rest[event.lane[at(k)]] = load(closed.G[event.lane[at(k)]]);
  Open<n> F[6], b;
  lanes_from_rows<n>(rest, F, b);
  for (int m = 0; m < 6; ++m) store(F[m], rows.F[m]);
  store(b, rows.b);
  for (int k = 0; k < event.closing; ++k) {
    for (int i = event.closing; i < all; ++i)
      rows.Psi[event.lane[at(i)]].lane[event.lane[at(k)]] = 0.0;
    store(Open<n>{}, rows.Psi[event.lane[at(k)]]);
  }
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
    for (int i = k + 1; i < n; ++i) opening += closed.L[k].lane[i] * sigma[i];
    sigma[k] = -closed.inverse[k] * opening;
  }
  store(Four{sigma[0], sigma[1], sigma[2], sigma[3]}, impulses);
  store(Four{sigma[4], sigma[5], sigma[6], sigma[7]}, impulses + 4);
}
template <int n>
inline void find_impulses(const Event& event, const Eight& V, Work& work) {
  const auto& closed = work.open<n>().closed[at(event.closed)];
  double* impulses = work.impulses_of(event.impulses);
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
  const double* known = work.impulses_of(event.known_impulses);
  double sigma[n] = {};
  Real opening[n];
  for (int k = event.closing; k < all; ++k) sigma[event.lane[at(k)]] = known[event.lane[at(k)]];
  for (int k = 0; k < event.closing; ++k) opening[k] = dot(load(closed.G[event.lane[at(k)]]), V);
  for (int k = event.closing - 1; k >= 0; --k) {
    const auto j = event.lane[at(k)];
    for (int i = k + 1; i < all; ++i)
      opening[k] += Real(closed.L[j].lane[event.lane[at(i)]]) * sigma[event.lane[at(i)]];
    sigma[j] = -closed.inverse[j] * opening[k];
  }
  std::memcpy(impulses, sigma, sizeof(sigma));
}

}  // namespace hamiltree::kernel
