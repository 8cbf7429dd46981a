#include "hamiltree/model/topology/short_paths.hpp"

#include <queue>
#include <tuple>

namespace hamiltree {
namespace {

class PathFinder {
 public:
  PathFinder(const TreeGraph& graph, const std::vector<bool>& kept,
             const std::vector<bool>& left_out)
      : graph_(graph),
        kept_(kept),
        incident_(graph.node_count(), graph.edges, included(left_out), as_given(graph.edges)),
        reached_(graph.mass.size(), false),
        tree_(graph.node_count()) {}

  RootedTree find() {
    enter(-1);
    while (!ways_.empty()) {
      const auto [distance, kept_cost, rank, edge, node] = ways_.top();
      ways_.pop();
      if (reached_[at(node)]) continue;
      reach(node, edge, distance);
      enter(node);
    }
    return std::move(tree_);
  }

 private:
  // The shortest first; of equals that whose joint is dearest to cut.
  using Way = std::tuple<TreeCost, TreeCost, int, int, int>;

  static std::vector<bool> included(std::vector<bool> left_out) {
    left_out.flip();
    return left_out;
  }

  void reach(int node, int edge, TreeCost distance) {
    reached_[at(node)] = true;
    tree_.up[at(node)] = edge;
    tree_.distance[at(node)] = distance;
    tree_.outward.push_back(node);
  }

  // All that kept edges join to a node that was just reached, and the ways on from there.
  void enter(int first) {
    std::vector<int> stack{first};
    while (!stack.empty()) {
      const int inner = stack.back();
      stack.pop_back();
      for (int i = incident_.first[at(inner + 1)]; i < incident_.first[at(inner + 2)]; ++i) {
        const int e = incident_.edge[at(i)];
        const int outer = graph_.edge(e).other(inner);
        if (outer < 0 || reached_[at(outer)]) continue;
        const TreeCost distance = tree_.distance_of(inner) + graph_.length(e, inner, outer);
        if (kept_[at(e)]) {
          reach(outer, e, distance);
          stack.push_back(outer);
        } else {
          ways_.emplace(distance, -graph_.cut_cost(e, kLeastLoop), graph_.rank[at(e)], e, outer);
        }
      }
    }
  }

  static constexpr TreeCost kLeastLoop = 3;  // joints, of a loop that moves

  const TreeGraph& graph_;
  const std::vector<bool>& kept_;
  Incidence incident_;
  std::vector<bool> reached_;
  RootedTree tree_;
  std::priority_queue<Way, std::vector<Way>, std::greater<>> ways_;
};

}  // namespace

RootedTree short_paths(const TreeGraph& graph, const std::vector<bool>& kept,
                       const std::vector<bool>& left_out) {
  return PathFinder(graph, kept, left_out).find();
}

}  // namespace hamiltree
