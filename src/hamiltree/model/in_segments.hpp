// InSegments: a Model whose long paths of joints are cut into segments that float. The momentum of
// a joint is that of all bodies outboard, and the small differences of such sums carry the motion
// of long chains; in segments each sum ends with its segment, and digits stay [ADR 0012].
#pragma once

#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct InSegments {
  // The same bodies in their order, with the same frames. A body at which a segment begins hangs on
  // a free joint on the ground, which is its tree joint now; the joint that it hung on closes a
  // loop. These joints follow all others, in the order of their bodies, and their rows come after
  // those of other joints, before those of couplings.
  Model model;
  std::vector<int> bases;  // the bodies at which segments begin
  int longest = 0;         // bodies, the longest path in a segment
};

inline constexpr int kGoodSegment = 8;  // bodies: few enough for digits, enough to be cheap

// Every path from the ground is cut at every `bodies`-th body, or at the next one that hangs on a
// joint that may be cut: a revolute or prismatic one without drive, coupling or armature and
// without a force that knows its coordinate; a controller may know all. A cut joint's coordinate
// follows from the bodies only, an angle up to whole turns.
InSegments in_segments(const Model& model, int bodies);

}  // namespace hamiltree
