#include "hamiltree/model/topology/spanning_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/topology/groups.hpp"

namespace hamiltree {

SpanningTree span(int node_count, const std::vector<Edge>& edges) {
  // Kruskal: the preferred edges that join separate groups carry the tree.
  std::vector<int> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return edges[at(a)].preference < edges[at(b)].preference; });
  Groups groups(at(node_count + 1));  // ground is the first node
  std::vector<bool> in_tree(edges.size(), false);
  for (const int e : order) {
    in_tree[at(e)] = groups.unite(edges[at(e)].parent + 1, edges[at(e)].child + 1);
  }

  // Walk the tree from the ground, depth first, without recursion: chains may be a million long.
  std::vector<std::vector<int>> incident(at(node_count + 1));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!in_tree[e]) continue;
    incident[at(edges[e].parent + 1)].push_back(static_cast<int>(e));
    incident[at(edges[e].child + 1)].push_back(static_cast<int>(e));
  }
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
    const auto& outward = incident[at(node + 1)];
    for (auto e = outward.rbegin(); e != outward.rend(); ++e) {
      if (*e == edge) continue;
      const int other = edges[at(*e)].parent == node ? edges[at(*e)].child : edges[at(*e)].parent;
      stack.push_back({other, *e});
    }
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!in_tree[e]) tree.cuts.push_back(static_cast<int>(e));
  }
  for (int node = 0; node < node_count; ++node) {
    if (!reached[at(node + 1)]) tree.unreachable.push_back(node);
  }
  return tree;
}

}  // namespace hamiltree
