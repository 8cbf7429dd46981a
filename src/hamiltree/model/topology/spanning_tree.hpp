// Spanning tree: which joints carry the tree from the ground outwards and which close loops.
#pragma once

#include <vector>

namespace hamiltree {

// A joint as an edge between nodes; node -1 is the ground.
struct Edge {
  int parent = -1;
  int child = -1;

  int other(int node) const { return node == parent ? child : parent; }
};

struct SpanningTree {
  struct Branch {
    int edge = 0;           // index of the edge
    int body = 0;           // node that it brings into the tree
    bool reversed = false;  // the tree runs from the edge's child to its parent
  };
  std::vector<Branch> branches;  // in depth-first order from the ground: parents before children
  std::vector<int> cuts;         // edges that close loops
  std::vector<int> unreachable;  // nodes that no chain of edges connects to the ground
};

// The edges that join what no edge before them in `order` has joined.
std::vector<bool> first_joined(int node_count, const std::vector<Edge>& edges,
                               const std::vector<int>& order);

// The tree of the edges in it, which form no loop, walked from the ground. Of several ways on, and
// of the cuts, that comes first which comes first in `order`.
SpanningTree walked(int node_count, const std::vector<Edge>& edges,
                    const std::vector<bool>& in_tree, const std::vector<int>& order);

// 0, 1, ... : edges in the order given.
std::vector<int> as_given(const std::vector<Edge>& edges);

// The edges in it by node, the ground's first, those of a node in the order that `order` has them:
// those of node n are edge[first[n + 1]] ... edge[first[n + 2] - 1].
struct Incidence {
  std::vector<int> first, edge;

  Incidence(int node_count, const std::vector<Edge>& edges, const std::vector<bool>& included,
            const std::vector<int>& order);
};

}  // namespace hamiltree
