// A chain of revolutes in the plane whose segments float, eight of them side by side: a lane takes
// a range of the chain, a row one segment of each lane. Plain numbers: what is compiled for an
// instruction set includes nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::dh_frames {

// One body of each segment of a row, in its screw frame: the origin on the revolute inboard, the x
// axis towards the one outboard. theta = q + offset, of a base the angle in the world. Segments end
// together; before a shorter one there are bodies that do not turn, J = infinity.
struct FloatingLink {
  Pack a{0.0};                                       // m, from the origin before; of a base zero
  Pack mass{0.0}, mx{0.0}, my{0.0};                  // kg, kg m
  Pack J;                                            // kg m^2, about the revolute
  Pack offset{0.0};                                  // rad
  std::array<int, kLanes> coordinate{}, velocity{};  // of the state; kNobody: none
};

// The first body of each segment of a row. Its frame B has the free joint's velocities; F is the
// frame on the ground from which its position is counted.
struct FloatingBase {
  Pack origin_x{0.0}, origin_y{0.0};          // of F, m; of a revolute on the ground the revolute
  Pack origin_sin{0.0}, origin_cos{1.0};      // of F in the world
  Pack offset{0.0};                           // rad, of F in the world
  Pack revolute_x{0.0}, revolute_y{0.0};      // O, the revolute inboard, in B, m
  Pack revolute_sin{0.0}, revolute_cos{1.0};  // of the frame M of sigma in B
  Pack none{0.0};                             // infinity where a lane has no more segments
  std::array<int, kLanes> q{}, p{}, sigma{};  // x in the state, p_x, first row; kNobody: none
  std::array<int, kLanes> angle{}, p_angle{};
};

struct FloatingRow {
  FloatingBase base;
  std::size_t first = 0, last = 0;  // among the links
  std::array<int, kLanes> start{};  // of each lane's base among these
  bool is_even = true;              // all bases are at `first`
  Pack next_x{0.0}, next_y{0.0};    // m, from F of each segment to that of the next one
  Pack offset{0.0};                 // m, from the last revolute to the next segment's
  Pack is_joined{0.0};              // to a next segment: 1, else 0
};

struct FloatingChain {
  std::vector<FloatingLink> links;
  std::vector<FloatingRow> rows;            // the first segment of every lane, the second one, ...
  double gravity_x = 0.0, gravity_y = 0.0;  // m/s^2
  bool on_ground = true;                    // the first body hangs on a revolute, or it floats, too
  int bodies = 0, segments = 0, longest = 0;
};

}  // namespace hamiltree::dh_frames
