// Open rows, one in each lane: eight, or sixteen where more are open somewhere. An operation takes
// a part of them at a time: of one state all n lanes, spare ones too, in registers; of states,
// where a lane is a pack, one lane that is in use.
//   for_each_part(lanes, count, [&](auto part) { store(load(a, part) + load(b, part), a, part); });
#pragma once

#include <type_traits>

#include "hamiltree/formulations/kernel/lanes.hpp"
#ifdef HAMILTREE_STATES
#include "hamiltree/formulations/kernel/state_rows.hpp"
#else

namespace hamiltree::kernel {

using Sixteen = TwoOf<Eight>;
template <int n>
using Open = std::conditional_t<n == kLaneCount, Eight, Sixteen>;

template <int n>
inline Open<n> load_open(const double* from) {
  if constexpr (n == kLaneCount) {
    return load_eight(from);
  } else {
    return {load_eight(from), load_eight(from + kLaneCount)};
  }
}
inline Sixteen load(const LanesOf<kMostLanes>& from) { return load_open<kMostLanes>(from.lane); }
inline void store(const Sixteen& a, double* to) {
  store(a.low, to);
  store(a.high, to + kLaneCount);
}
inline void store(const Sixteen& a, LanesOf<kMostLanes>& to) { store(a, to.lane); }
inline Real dot(const Sixteen& a, const Sixteen& b) { return sum(a.low * b.low + a.high * b.high); }

struct AllLanes {};
template <class F>
inline void for_each_part(const unsigned char*, int, const F& f) {
  f(AllLanes{});
}
template <int n>
inline Open<n> load(const LanesOf<n>& from, AllLanes) {
  return load(from);
}
template <int n>
inline Open<n> load_part(const double* from, AllLanes) {
  return load_open<n>(from);
}
template <int n>
inline void store(const Open<n>& a, LanesOf<n>& to, AllLanes) {
  store(a, to);
}
// Stores f(part) of every part, and gives them back by part.
template <int n>
struct Kept {
  Open<n> all;
  const Open<n>& operator()(AllLanes) const { return all; }
};
template <class F, int n>
inline Kept<n> keep(const unsigned char*, int, const F& f, LanesOf<n>& to) {
  const Kept<n> kept{f(AllLanes{})};
  store(kept.all, to);
  return kept;
}
// Impulses of the rows that are open at a body.
template <int n>
using ImpulsesOf = Open<n>;
template <int n>
inline Open<n> impulses_at(const double* from) {
  return load_open<n>(from);
}
// a^T b over the lanes in use.
template <int n>
inline Real dot_of_rows(const LanesOf<n>& a, const Open<n>& b, const unsigned char*, int) {
  return dot(load(a), b);
}

// Rows G of forces, [F_l b | F_a 0] of each lane, from lanes by component.
template <int n>
inline void rows_from_lanes(const Open<n>* F, const Open<n>& b, Eight* G) {
  if constexpr (n == kLaneCount) {
    const Eight lanes[8] = {F[0], F[1], F[2], b, F[3], F[4], F[5], Eight{}};
    for (int i = 0; i < 8; ++i) G[i] = lanes[i];
    transpose(G);
  } else {
    const Eight first[6] = {F[0].low, F[1].low, F[2].low, F[3].low, F[4].low, F[5].low};
    const Eight last[6] = {F[0].high, F[1].high, F[2].high, F[3].high, F[4].high, F[5].high};
    rows_from_lanes<kLaneCount>(first, b.low, G);
    rows_from_lanes<kLaneCount>(last, b.high, G + kLaneCount);
  }
}
template <int n>
inline void load_rows(const Rows<n>& rows, Eight* G) {
  const Open<n> F[6] = {load(rows.F[0]), load(rows.F[1]), load(rows.F[2]),
                        load(rows.F[3]), load(rows.F[4]), load(rows.F[5])};
  rows_from_lanes<n>(F, load(rows.b), G);
}

template <int n>
inline void clear_forces(const std::vector<unsigned char>&, Rows<n>& rows) {
  for (auto& F : rows.F) store(Open<n>{}, F);
}
template <int n>
inline void clear(const std::vector<unsigned char>& lanes, Rows<n>& rows) {
  const Open<n> none{};
  clear_forces(lanes, rows);
  for (auto& Psi : rows.Psi) store(none, Psi);
  store(none, rows.b);
}
// By lane: 1 there and 0 elsewhere. A row is spread over registers by products with it.
struct Units {
  constexpr Units() {
    for (int i = 0; i < kMostLanes; ++i) of[i].lane[i] = 1.0;
  }
  LanesOf<kMostLanes> of[kMostLanes] = {};
};
static constexpr Units kUnits;  // not inline: each instruction set has its own

// Adds row_of(i) of each row of a cut, [F_l b | F_a 0].
template <class RowOf, int n>
inline void add_rows(const Cut& cut, const RowOf& row_of, Rows<n>& rows) {
  Open<n> F[6], b = load(rows.b);
  for (int m = 0; m < 6; ++m) F[m] = load(rows.F[m]);
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    Lanes row;
    store(row_of(i), row);
    const auto unit = load_open<n>(kUnits.of[cut.rows[i].lane].lane);
    for (int m = 0; m < 6; ++m) F[m] += unit * row.lane[lane_of(m)];
    b += unit * row.lane[kFourth];
  }
  for (int m = 0; m < 6; ++m) store(F[m], rows.F[m]);
  store(b, rows.b);
}
// Adds to the lane of one row.
template <int n>
struct LaneOfRow {
  Open<n> unit;
  explicit LaneOfRow(int lane) : unit(load_open<n>(kUnits.of[lane].lane)) {}
  void add(Real x, LanesOf<n>& to) const { store(load(to) + unit * x, to); }
};
// Rows as they close, into G by component.
template <int n>
inline void take_rows(const Event&, const Rows<n>& rows, Lanes* to) {
  Eight G[n];
  load_rows(rows, G);
  for (int k = 0; k < n; ++k) store(G[k], to[k]);
}
// a, but zero in the lanes of rows that close.
template <int n>
inline Open<n> staying(const Event& event, const Open<n>& a) {
  return a * load_open<n>(event.stays);
}
template <int n>
inline void drop_closed(const Event& event, Rows<n>& rows) {
  for (int k = 0; k < event.closing + event.staying; ++k) {
    auto& Psi = rows.Psi[event.lane[at(k)]];
    store(k < event.closing ? Open<n>{} : staying<n>(event, load(Psi)), Psi);
  }
}
// One for each row; zero in spare lanes.
template <int n>
struct RowNumbers {
  double lane[n];
  Open<n> all{};

  void set(int i, Real x) {
    lane[i] = x;
    all += load_open<n>(kUnits.of[i].lane) * x;
  }
};
template <int n>
inline void store(const RowNumbers<n>& from, const Event&, double* to) {
  store(from.all, to);
}

}  // namespace hamiltree::kernel

#endif
