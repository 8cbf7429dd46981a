// The tree of the shortest paths from the ground.
#pragma once

#include <vector>

#include "hamiltree/model/topology/rooted_tree.hpp"

namespace hamiltree {

// Dijkstra's algorithm. The edges in `kept`, which form no loop, are all in the tree: where a path
// meets what they join, it enters there once. Edges in `left_out` are not in it.
RootedTree short_paths(const TreeGraph& graph, const std::vector<bool>& kept,
                       const std::vector<bool>& left_out);

}  // namespace hamiltree
