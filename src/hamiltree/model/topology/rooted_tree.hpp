// A spanning tree as paths to the ground, with what its choice is made by: the costs of its bodies'
// depth and of its cuts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/topology/spanning_tree.hpp"

namespace hamiltree {

// All costs are whole multiples of a 64th of what one joint between a body and the ground costs, so
// that equal costs are equal, in whatever order they are added.
using TreeCost = std::int64_t;
inline constexpr TreeCost kOneJoint = 64;
inline constexpr TreeCost kFreedom = 4 * kOneJoint;
inline constexpr TreeCost kNear = 5 * kOneJoint;

struct TreeGraph {
  std::vector<Edge> edges;
  std::vector<double> mass;       // kg, by node
  std::vector<bool> is_massless;  // by node: without mass and inertia
  std::vector<int> rows;          // by edge: constraint rows that it takes if it is cut
  std::vector<TreeCost> keeping;  // by edge: what cutting it costs beyond its rows
  std::vector<int> rank;          // by edge, each once: of equals the first stays in the tree
  int rows_of_pin = 0;            // of a joint with one degree of freedom

  int node_count() const { return static_cast<int>(mass.size()); }
  const Edge& edge(int e) const { return edges[at(e)]; }

  // How far joint e takes a body beyond the one that it hangs on.
  TreeCost length(int e, int inner, int outer) const { return kOneJoint + burden(e, inner, outer); }
  // Further cost. Joints with several freedoms cost kFreedom for each further one: cut
  // they take fewer rows, in the tree they add coordinates. Light bodies shall not carry heavy
  // ones, whose momenta would leave no digits for theirs: each thousandfold of the mass counts as
  // five joints. Whole thousands: mechanisms that differ in their dimensions are cut alike. A body
  // without mass and inertia has no momentum of its own to lose.
  TreeCost burden(int e, int inner, int outer) const {
    const TreeCost freedoms = kFreedom * std::max(0, rows_of_pin - rows[at(e)]);
    if (inner < 0 || is_massless[at(inner)]) return freedoms;
    const double ratio = mass[at(outer)] / std::max(mass[at(inner)], 1e-9 * mass[at(outer)]);
    if (!(ratio > 1.0)) return freedoms;
    return freedoms + 5 * kOneJoint * static_cast<TreeCost>(std::floor(std::log10(ratio) / 3.0));
  }
  // The cost of a body's distance: that of the first few joints nothing, as no digits are lost
  // there that would be missed.
  static TreeCost far(TreeCost distance) { return std::max<TreeCost>(0, distance - kNear); }
  // The cost of a loop of so many joints that is cut there: its rows are carried by all its bodies,
  // and the work on each grows with their square.
  TreeCost cut_cost(int e, TreeCost joints) const {
    return kOneJoint * rows[at(e)] * rows[at(e)] * joints + keeping[at(e)];
  }
};

struct RootedTree {
  std::vector<int> up;             // by node: the edge towards the ground; -1: there is none
  std::vector<TreeCost> distance;  // by node: from the ground
  std::vector<int> outward;        // the nodes, inner ones first

  explicit RootedTree(int node_count) : up(at(node_count), -1), distance(at(node_count), 0) {
    outward.reserve(at(node_count));
  }

  TreeCost distance_of(int node) const { return node < 0 ? 0 : distance[at(node)]; }
  std::vector<bool> edges(std::size_t edge_count) const {
    std::vector<bool> in_tree(edge_count, false);
    for (const int e : up) {
      if (e >= 0) in_tree[at(e)] = true;
    }
    return in_tree;
  }
};

}  // namespace hamiltree
