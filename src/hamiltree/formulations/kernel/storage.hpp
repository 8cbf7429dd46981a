// Vectors as they lie in memory, laid out alike for every instruction set.
#pragma once

namespace hamiltree::kernel {

inline constexpr int kLaneCount = 8;
inline constexpr int kMostLanes = 16;  // of open rows

template <int n>
struct alignas(64) LanesOf {
  double lane[n];
};
using Lanes = LanesOf<kLaneCount>;
struct alignas(32) Half {
  double lane[4];
};

// Order of the six components of a motion or force in Lanes: [lx ly lz . | ax ay az .].
constexpr int lane_of(int component) { return component < 3 ? component : component + 1; }
inline constexpr int kFourth = 3;  // the spare lane that momenta ride in

}  // namespace hamiltree::kernel
