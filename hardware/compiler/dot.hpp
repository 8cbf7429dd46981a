// A graph as DOT, for Graphviz: one node per live operation, ranked by the cycle in which it could
// be there first.
#pragma once

#include <string>

#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

std::string to_dot(const Graph& graph);

}  // namespace hamiltree::hardware
