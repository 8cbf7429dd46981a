// Vectors as they lie in memory, laid out alike for every instruction set. Number: a double, or a
// Pack of which each lane is that of another state.
#pragma once

namespace hamiltree::kernel {

inline constexpr int kLaneCount = 8;
inline constexpr int kMostLanes = 16;  // of open rows

template <class Number, int n>
struct alignas(64) LanesIn {
  Number lane[n];
};
template <int n>
using LanesOf = LanesIn<double, n>;
using Lanes = LanesOf<kLaneCount>;

// x, y, z, and for one state the spare lane of a register.
template <class Number>
struct HalfIn {
  Number lane[3];
};
template <>
struct alignas(32) HalfIn<double> {
  double lane[4];
};
using Half = HalfIn<double>;

// Order of the six components of a motion or force in Lanes: [lx ly lz . | ax ay az .].
constexpr int lane_of(int component) { return component < 3 ? component : component + 1; }
inline constexpr int kFourth = 3;  // the spare lane that momenta ride in

}  // namespace hamiltree::kernel
