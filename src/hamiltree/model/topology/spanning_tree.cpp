#include "hamiltree/model/topology/spanning_tree.hpp"

#include <cstddef>
#include <numeric>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/topology/groups.hpp"

namespace hamiltree {

std::vector<int> as_given(const std::vector<Edge>& edges) {
  std::vector<int> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Incidence::Incidence(int node_count, const std::vector<Edge>& edges,
                     const std::vector<bool>& included, const std::vector<int>& order)
    : first(at(node_count + 2), 0) {
  const auto each_end = [&](const auto& visit) {
    for (const int e : order) {
      if (!included[at(e)]) continue;
      visit(edges[at(e)].parent, e);
      visit(edges[at(e)].child, e);
    }
  };
  each_end([&](int node, int) { ++first[at(node + 2)]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  edge.resize(at(first.back()));
  auto next = first;
  each_end([&](int node, int e) { edge[at(next[at(node + 1)]++)] = e; });
}

std::vector<bool> first_joined(int node_count, const std::vector<Edge>& edges,
                               const std::vector<int>& order) {
  Groups groups(at(node_count + 1));  // ground is the first node
  std::vector<bool> in_tree(edges.size(), false);
  for (const int e : order) {
    in_tree[at(e)] = groups.unite(edges[at(e)].parent + 1, edges[at(e)].child + 1);
  }
  return in_tree;
}

SpanningTree walked(int node_count, const std::vector<Edge>& edges,
                    const std::vector<bool>& in_tree, const std::vector<int>& order) {
  // Depth first, without recursion: chains may be a million long.
  const Incidence incident(node_count, edges, in_tree, order);
  SpanningTree tree;
  std::vector<bool> reached(at(node_count + 1), false);
  struct Visit {
    int node, edge;
  };
  std::vector<Visit> stack{{-1, -1}};
  while (!stack.empty()) {
    const auto [node, edge] = stack.back();
    stack.pop_back();
    reached[at(node + 1)] = true;
    if (edge >= 0) tree.branches.push_back({edge, node, edges[at(edge)].parent == node});
    for (int i = incident.first[at(node + 2)]; i-- > incident.first[at(node + 1)];) {
      const int outward = incident.edge[at(i)];
      if (outward != edge) stack.push_back({edges[at(outward)].other(node), outward});
    }
  }
  for (const int e : order) {
    if (!in_tree[at(e)]) tree.cuts.push_back(e);
  }
  for (int node = 0; node < node_count; ++node) {
    if (!reached[at(node + 1)]) tree.unreachable.push_back(node);
  }
  return tree;
}

}  // namespace hamiltree
