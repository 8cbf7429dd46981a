// Where the recursion in DH frames computes each body, for people to look at.
#pragma once

#include <vector>

#include "hamiltree/formulations/choice/choice.hpp"

namespace hamiltree {

// A group is a lane group of subtrees, or eight segments of a chain; kNone: with the tree, in no
// lane.
struct LanePlace {
  int group = kNone, lane = kNone;
};

// By body of the model. Empty where the recursion in DH frames puts nothing into lanes.
std::vector<LanePlace> lane_places(const Choice& choice);

}  // namespace hamiltree
