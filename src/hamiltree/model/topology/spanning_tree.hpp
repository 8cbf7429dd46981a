// Spanning tree: which joints carry the tree from the ground outwards and which close loops.
#pragma once

#include <vector>

namespace hamiltree {

// A joint as an edge between nodes; node -1 is the ground.
struct Edge {
  int parent = -1;
  int child = -1;
  int preference = 0;  // joints with a smaller number become tree joints first
};

struct SpanningTree {
  struct Branch {
    int edge = 0;           // index of the edge
    int body = 0;           // node that it brings into the tree
    bool reversed = false;  // the tree runs from the edge's child to its parent
  };
  std::vector<Branch> branches;  // in depth-first order from the ground: parents before children
  std::vector<int> cuts;         // edges that close loops, in the order given
  std::vector<int> unreachable;  // nodes that no chain of edges connects to the ground
};

// Edges are taken by preference, then in the order given, so that the last joint of a loop to be
// written down is the one that closes it.
SpanningTree span(int node_count, const std::vector<Edge>& edges);

}  // namespace hamiltree
