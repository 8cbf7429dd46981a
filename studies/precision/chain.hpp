// The chains of this study: equal slender rods of 1 m and 1 kg, end to end on pins, the first on
// the ground; and the same chains cut into segments that float.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::studies::round_off {

enum class Shape {
  kStraight,  // small angles
  kFolded,    // zig-zag: angles near +pi and -pi in turn
};

// "planar straight", ...
std::string to_text(SpaceKind space, Shape shape);

// Angles in rad and rates in rad/s of the pins, in the order along the chain.
struct RevoluteState {
  Eigen::VectorXd angles, rates;
};

// Angles of the shape, and rates between -1 and 1 rad/s.
RevoluteState random_pins(Shape shape, int bodies, std::uint64_t seed);

struct ChainOptions {
  SpaceKind space = SpaceKind::kPlanar;
  int bodies = 1;
  // Every `segment` bodies a free joint to the ground carries the next body, and the pin there
  // becomes a loop closure. 0: the plain chain.
  int segment = 0;
};

// In space the axes of the pins alternate between two directions. Gravity acts along -y.
Mechanism chain(const ChainOptions& options);

// Whether the pin before body k closes a loop.
bool is_cut(const ChainOptions& options, int k);

}  // namespace hamiltree::studies::round_off
