// Cheaper cuts: loops that share no joint with others there are cut at another of their joints.
#pragma once

#include <vector>

#include "hamiltree/model/topology/rooted_tree.hpp"

namespace hamiltree {

// Exchanges edges of the tree that are not in `kept` for edges outside of it that are not in
// `left_out`, while that lowers the sum of what all bodies and cuts cost. An edge can
// go where it is in one loop only, next to others of this kind up to the cut: no other loop
// changes.
void move_cuts(const TreeGraph& graph, const std::vector<bool>& kept,
               const std::vector<bool>& left_out, RootedTree& tree);

}  // namespace hamiltree
