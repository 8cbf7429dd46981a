// Into lanes: subtrees of one tree side by side, where that is predicted to be faster.
#pragma once

#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// What a rate costs, ns.
struct Costs {
  double pin = 31.0;         // one pin after the other
  double lane_step = 52.0;   // eight pins side by side
  double hand_over = 150.0;  // between a bank and the tree, there and back

  double of(const Tree& tree) const;
};

// Subtrees that are cut off are as large as pays: the largest is divided until nothing is gained.
Tree into_lanes(const Tree& tree, const Costs& costs);

}  // namespace hamiltree::screws
