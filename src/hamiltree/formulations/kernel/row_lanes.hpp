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
inline void store(const Sixteen& a, LanesOf<kMostLanes>& to) {
  store(a.low, to.lane);
  store(a.high, to.lane + kLaneCount);
}
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

// Rows G of forces, [F_l b | F_a 0] of each lane, from and to lanes by component.
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
inline void lanes_from_rows(Eight* G, Open<n>* F, Open<n>& b) {
  transpose(G);
  if constexpr (n == kLaneCount) {
    for (int m = 0; m < 6; ++m) F[m] = G[lane_of(m)];
    b = G[kFourth];
  } else {
    Eight* last = G + kLaneCount;
    transpose(last);
    for (int m = 0; m < 6; ++m) F[m] = {G[lane_of(m)], last[lane_of(m)]};
    b = {G[kFourth], last[kFourth]};
  }
}

template <int n>
inline void load_rows(const Rows<n>& rows, Eight* G) {
  const Open<n> F[6] = {load(rows.F[0]), load(rows.F[1]), load(rows.F[2]),
                        load(rows.F[3]), load(rows.F[4]), load(rows.F[5])};
  rows_from_lanes<n>(F, load(rows.b), G);
}

// Three lanes from kFirst on, zero elsewhere.
template <int kFirst>
constexpr int lane_from(int lane) {
  return lane >= kFirst && lane < kFirst + 3 ? lane - kFirst : 4;
}
template <int kFirst>
inline Eight three_lanes(Four a) {
  const Four none{};
  return join(shuffled<lane_from<kFirst>(0), lane_from<kFirst>(1), lane_from<kFirst>(2),
                       lane_from<kFirst>(3)>(a, none),
              shuffled<lane_from<kFirst>(4), lane_from<kFirst>(5), lane_from<kFirst>(6),
                       lane_from<kFirst>(7)>(a, none));
}

template <int n>
inline void clear(const std::vector<unsigned char>&, Rows<n>& rows) {
  const Open<n> none{};
  for (auto& F : rows.F) store(none, F);
  for (auto& Psi : rows.Psi) store(none, Psi);
  store(none, rows.b);
}
template <int n>
inline void add(const Open<n>* F, const Open<n>& b, Rows<n>& rows) {
  for (int m = 0; m < 6; ++m) store(load(rows.F[m]) + F[m], rows.F[m]);
  store(load(rows.b) + b, rows.b);
}
// Adds row_of(i) of each row of a cut, [F_l b | F_a 0].
template <class RowOf, int n>
inline void add_rows(const Cut& cut, const RowOf& row_of, Rows<n>& rows) {
  Eight G[n] = {};
  for (std::size_t i = 0; i < cut.rows.size(); ++i) G[cut.rows[i].lane] = row_of(i);
  Open<n> F[6], b;
  lanes_from_rows<n>(G, F, b);
  add(F, b, rows);
}
// Adds three rows in lanes from kLane on, a component of all three in each of F.
template <int kLane>
inline void add_three_at(const Four* F, Four b, Rows<kLaneCount>& rows) {
  const Eight lanes[6] = {three_lanes<kLane>(F[0]), three_lanes<kLane>(F[1]),
                          three_lanes<kLane>(F[2]), three_lanes<kLane>(F[3]),
                          three_lanes<kLane>(F[4]), three_lanes<kLane>(F[5])};
  add<kLaneCount>(lanes, three_lanes<kLane>(b), rows);
}
inline void add_three(const Four* F, Four b, int lane, Rows<kLaneCount>& rows) {
  switch (lane) {
    case 0:
      return add_three_at<0>(F, b, rows);
    case 1:
      return add_three_at<1>(F, b, rows);
    case 2:
      return add_three_at<2>(F, b, rows);
    case 3:
      return add_three_at<3>(F, b, rows);
    case 4:
      return add_three_at<4>(F, b, rows);
    default:
      return add_three_at<5>(F, b, rows);
  }
}
// Rows as they close, into G by component; and those that stay open back into lanes.
template <int n>
inline void take_rows(const Event&, const Rows<n>& rows, Lanes* to) {
  Eight G[n];
  load_rows(rows, G);
  for (int k = 0; k < n; ++k) store(G[k], to[k]);
}
template <int n>
inline void put_back(const Event& event, const Lanes* from, Rows<n>& rows) {
  Eight rest[n] = {};
  for (int k = event.closing; k < event.closing + event.staying; ++k)
    rest[event.lane[at(k)]] = load(from[event.lane[at(k)]]);
  Open<n> F[6], b;
  lanes_from_rows<n>(rest, F, b);
  for (int m = 0; m < 6; ++m) store(F[m], rows.F[m]);
  store(b, rows.b);
}
// One for each row; zero in spare lanes.
template <int n>
struct RowNumbers {
  double lane[n] = {};
  double& operator[](int i) { return lane[i]; }
};
template <int n>
inline void store(const RowNumbers<n>& from, const Event&, double* to) {
  std::memcpy(to, from.lane, sizeof(from.lane));
}

}  // namespace hamiltree::kernel

#endif
