// Open rows where every lane is a pack: lanes that are not in use are never touched. See
// row_lanes.hpp.
#pragma once

#include <vector>

#include "hamiltree/formulations/kernel/state_lanes.hpp"

namespace hamiltree::kernel {

template <int n>
using Open = Number;  // a part of them

struct OneLane {
  int lane;
};
template <class F>
inline void for_each_part(const unsigned char* lanes, int count, const F& f) {
  for (int i = 0; i < count; ++i) f(OneLane{lanes[i]});
}
template <int n>
inline Number load(const LanesOf<n>& from, OneLane part) {
  return from.lane[part.lane];
}
template <int n>
inline Number load_part(const double* from, OneLane part) {
  return from[part.lane];
}
template <int n>
inline void store(const Number& a, LanesOf<n>& to, OneLane part) {
  to.lane[part.lane] = a;
}

template <int n>
inline void clear_forces(const std::vector<unsigned char>& lanes, Rows<n>& rows) {
  for (const auto lane : lanes)
    for (auto& F : rows.F) F.lane[lane] = 0.0;
}
template <int n>
inline void clear(const std::vector<unsigned char>& lanes, Rows<n>& rows) {
  clear_forces(lanes, rows);
  for (const auto lane : lanes) {
    for (const auto other : lanes) rows.Psi[lane].lane[other] = 0.0;
    rows.b.lane[lane] = 0.0;
  }
}
// Adds row_of(i) of each row of a cut, [F_l b | F_a].
template <class RowOf, int n>
inline void add_rows(const Cut& cut, const RowOf& row_of, Rows<n>& rows) {
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    const Eight row = row_of(i);
    const int lane = cut.rows[i].lane;
    for (int m = 0; m < 6; ++m) rows.F[m].lane[lane] += row.lane[lane_of(m)];
    rows.b.lane[lane] += row.lane[kFourth];
  }
}
// Adds to the lane of one row.
template <int n>
struct LaneOfRow {
  int lane;
  explicit LaneOfRow(int which) : lane(which) {}
  void add(const Number& x, LanesOf<n>& to) const { to.lane[lane] += x; }
};
// Rows as they close, into G by component.
template <int n>
inline void take_rows(const Event& event, const Rows<n>& rows, Lanes* to) {
  for (int k = 0; k < event.closing; ++k) {
    const int lane = event.lane[at(k)];
    for (int m = 0; m < 6; ++m) to[lane].lane[lane_of(m)] = rows.F[m].lane[lane];
    to[lane].lane[kFourth] = rows.b.lane[lane];
  }
}
template <int n>
inline const Number& staying(const Event&, const Number& a) {
  return a;
}
template <int n>
inline void drop_closed(const Event& event, Rows<n>& rows) {
  const int all = event.closing + event.staying;
  for (int k = 0; k < event.closing; ++k) {
    const int lane = event.lane[at(k)];
    for (auto& F : rows.F) F.lane[lane] = 0.0;
    rows.b.lane[lane] = 0.0;
    for (int i = 0; i < all; ++i) {
      const int other = event.lane[at(i)];
      rows.Psi[lane].lane[other] = rows.Psi[other].lane[lane] = 0.0;
    }
  }
}
// One for each row.
template <int n>
struct RowNumbers {
  Unset<Number, n> lane;
  void set(int i, const Number& x) { lane[i] = x; }
};
template <int n>
inline void store(const RowNumbers<n>& from, const Event& event, Number* to) {
  for (int k = 0; k < event.closing + event.staying; ++k) {
    const int lane = event.lane[at(k)];
    to[lane] = from.lane[lane];
  }
}

// Stores f(part) of every part, and gives them back by part.
template <int n>
struct Kept {
  const LanesOf<n>& all;
  const Number& operator()(OneLane part) const { return all.lane[part.lane]; }
};
template <class F, int n>
inline Kept<n> keep(const unsigned char* lanes, int count, const F& f, LanesOf<n>& to) {
  for_each_part(lanes, count, [&](auto part) { store(f(part), to, part); });
  return {to};
}
// Impulses of the rows that are open at a body.
template <int n>
using ImpulsesOf = const Number*;
template <int n>
inline const Number* impulses_at(const Number* from) {
  return from;
}
// a^T b over the lanes in use.
template <int n>
inline Number dot_of_rows(const LanesOf<n>& a, const Number* b, const unsigned char* lanes,
                          int count) {
  Number sum = 0.0;
  for (int i = 0; i < count; ++i) sum += a.lane[lanes[i]] * b[lanes[i]];
  return sum;
}

}  // namespace hamiltree::kernel
