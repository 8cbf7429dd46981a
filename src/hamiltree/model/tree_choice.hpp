// Which joints of a mechanism carry its spanning tree and which are cut: the same whatever the
// order in which a file has them. See docs/theory/spanning_tree.md.
#pragma once

#include <vector>

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/topology/spanning_tree.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

// The tree that the state is in: short paths to the ground, cuts with few rows. Joints with `cut`
// are where it says, and these stay in the tree as long as others of their loops are left to cut,
// in this order: free joints, joints that are coupled or have armature, and joints whose angle a
// force counts over whole turns.
// Throws ModelError where `cut` cannot be had, or where no chain of joints leads to a body.
SpanningTree choose_tree(const Mechanism& mechanism, const Names& names);

// The tree on which the initial state is solved for: joints with `initial` are in it, then those
// with a `guess`, by their names, then as many as can be of those in `chosen`, by joint.
SpanningTree assembly_tree(const Mechanism& mechanism, const Names& names,
                           const std::vector<bool>& chosen);

}  // namespace hamiltree
