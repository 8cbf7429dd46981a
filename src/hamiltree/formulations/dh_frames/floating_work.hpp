// Storage of floating segments between passes; arguments and results of an evaluation.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "hamiltree/formulations/dh_frames/chain_block_work.hpp"
#include "hamiltree/formulations/dh_frames/compound.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"

namespace hamiltree::dh_frames {

struct FloatingRequest {
  const double* q = nullptr;
  const double* p = nullptr;
  const double* phi = nullptr;  // the cuts move by -phi; null: not
  bool closes = false;          // the cuts move by what they are open, and the gap is found
  bool weighs = false;          // the moments in `outside` are found
  double leak = 0.0;            // 1/s, p_dot gains leak A^T sigma
  double* v = nullptr;
  double* q_dot = nullptr;
  double* p_dot = nullptr;  // null: not asked for
  double* sigma = nullptr;
};

// The first base of a chain block, in world axes: where O is, m, and how it moves, m/s and
// rad/s.
struct BasePlace {
  double x = 0.0, y = 0.0;
};
struct BaseMotion {
  double x = 0.0, y = 0.0, turning = 0.0;
};

// One link; it turns at u - W . V - phi . y, where V is that of its revolute. As few as will do:
// on long chains memory is what the time goes into.
struct FloatingStep {
  Pack s, c;
  Pack Wx, Wy, u;
  Pinned<2> phi;
};

// One link while its segment is at hand.
struct FloatingMotion {
  Pack x, y, turning;  // of its revolute, and its own
  Pack gx, gy;         // gravity in its axes
};

// One row, in world axes at the revolute inboard, O.
struct FloatingSegment {
  Pack s, c;              // of B in the world
  Pack x, y;              // O
  Pack arm_x, arm_y;      // from the origin of B to O
  Pack px, py, moment;    // p of the base; its moment about O
  Pack end_x, end_y;      // from the last revolute to the next segment's O, in the last link's axes
  Pack end_sin, end_cos;  // of the last link in the world
  Factors<2> A;           // P = A V + D + F y of all of it, its turning eliminated
  std::array<Pinned<2>, 2> F;  // columns
  Pinned<2> rest;              // p - D
  Joined<2> joined;            // with all before it in its lane
  Pinned<2> T_1, T_2;          // handed in at O, minus what is handed out
  Pack Vx, Vy, turning;        // of O and of the base
};

struct FloatingWork {
  FloatingWork() = default;
  explicit FloatingWork(const FloatingChain& chain)
      : steps(chain.links.size()), segments(chain.rows.size()) {
    std::size_t longest = 0;
    for (const auto& row : chain.rows) longest = std::max(longest, row.last - row.first);
    momenta.resize(longest);
    motions.resize(longest);
  }

  std::vector<FloatingStep> steps;
  std::vector<FloatingSegment> segments;
  std::array<Joined<2>, 3> joined;  // of the lanes
  Outside<true> outside;            // axes of the world at both ends
  Inside<true> inside;
  double gap = 0.0;  // m, the largest
  // Moments that the bodies have because F has followed them, kg m.
  double moved_x = 0.0, moved_y = 0.0;
  std::vector<Pack> momenta;  // of the links of one row
  std::vector<FloatingMotion> motions;
};

// Once the bases move.
inline BaseMotion first_motion(const FloatingWork& work) {
  const auto& first = work.segments.front();
  return {first.Vx[0], first.Vy[0], first.turning[0]};
}

}  // namespace hamiltree::dh_frames
