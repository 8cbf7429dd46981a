// Vectors with one lane for each open row: eight, or sixteen where more are open somewhere.
#pragma once

#include <type_traits>

#include "hamiltree/formulations/kernel/lanes.hpp"

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

}  // namespace hamiltree::kernel
