#include "hamiltree/model/topology/move_cuts.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "hamiltree/base/random.hpp"

namespace hamiltree {
namespace {

constexpr int kRounds = 4;  // a move changes the distances that others were judged by

// A number of its own for each edge: sums of different edges differ.
std::uint64_t label_of(int edge) {
  return scrambled(static_cast<std::uint64_t>(edge) * 0x9e3779b97f4a7c15);
}

class CutMover {
 public:
  CutMover(const TreeGraph& graph, const std::vector<bool>& kept, const std::vector<bool>& left_out,
           RootedTree& tree)
      : graph_(graph), kept_(kept), left_out_(left_out), tree_(tree) {}

  void improve() {
    for (int round = 0; round < kRounds; ++round) {
      gather();
      std::vector<Move> moves;
      for (const int cut : cuts_) {
        if (const auto move = best_move(cut)) moves.push_back(*move);
      }
      if (moves.empty()) return;
      for (const auto& move : moves) apply(move);
      walk();
    }
  }

 private:
  // The cut joins the tree, from `inner` on outwards to `outer`; the edge above `last`, on the path
  // from `outer` to the ground, is cut instead.
  struct Move {
    int cut, inner, outer, last;
    TreeCost gain;
    int rank;  // of the edge that is cut instead

    bool is_better_than(const std::optional<Move>& other) const {
      if (!other) return true;
      return gain != other->gain ? gain > other->gain : rank > other->rank;
    }
  };

  int inboard(int node) const { return graph_.edge(tree_.up[at(node)]).other(node); }

  // The cuts, how many nodes hang on each, and the loops through the edge above each: the exclusive
  // or of their labels, in which those closed further out are gone.
  void gather() {
    cuts_.clear();
    sizes_.assign(graph_.mass.size(), 1);
    loops_.assign(graph_.mass.size(), 0);
    const auto in_tree = tree_.edges(graph_.edges.size());
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      if (in_tree[e]) continue;
      const int cut = static_cast<int>(e);
      if (!left_out_[e]) cuts_.push_back(cut);
      for (const int end : {graph_.edges[e].parent, graph_.edges[e].child}) {
        if (end >= 0) loops_[at(end)] ^= label_of(cut);
      }
    }
    for (auto node = tree_.outward.rbegin(); node != tree_.outward.rend(); ++node) {
      const int inner = inboard(*node);
      if (inner < 0) continue;
      sizes_[at(inner)] += sizes_[at(*node)];
      loops_[at(inner)] ^= loops_[at(*node)];
    }
  }

  std::optional<Move> best_move(int cut) const {
    const auto& edge = graph_.edge(cut);
    const bool stands_alone = top_of(cut, edge.parent) == top_of(cut, edge.child);
    std::optional<Move> best;
    look_up(cut, edge.parent, edge.child, stands_alone, best);
    look_up(cut, edge.child, edge.parent, stands_alone, best);
    return best;
  }

  // The first node on the way to the ground above which there are other loops, or the loop ends.
  int top_of(int cut, int node) const {
    while (node >= 0 && loops_[at(node)] == label_of(cut)) node = inboard(node);
    return node;
  }

  // Moves that hang what is on the path from `outer` to the ground on `inner`. Of a loop that
  // shares no joint with others the last name is cut among equals.
  void look_up(int cut, int inner, int outer, bool stands_alone, std::optional<Move>& best) const {
    TreeCost loss = 0;  // by all those that hang elsewhere
    TreeCost distance = tree_.distance_of(inner);
    TreeCost hanging = 0;
    std::optional<TreeCost> joints;
    int before = inner, through = cut;
    for (int node = outer; node >= 0 && loops_[at(node)] == label_of(cut); node = inboard(node)) {
      const int e = tree_.up[at(node)];
      distance += graph_.length(through, before, node);
      loss += (sizes_[at(node)] - hanging) *
              (graph_.far(distance) - graph_.far(tree_.distance[at(node)]));
      loss += graph_.burden(through, before, node) - graph_.burden(e, inboard(node), node);
      hanging = sizes_[at(node)];
      before = node;
      through = e;
      if (kept_[at(e)]) continue;
      // A loop is only walked along where rows may be saved.
      if (graph_.rows[at(e)] != graph_.rows[at(cut)] && !joints) joints = joints_of(cut);
      const TreeCost carried = joints.value_or(0);
      const TreeCost gain = graph_.cut_cost(cut, carried) - graph_.cut_cost(e, carried) - loss;
      const Move move{cut, inner, outer, node, gain, graph_.rank[at(e)]};
      const bool is_later = stands_alone && gain == 0 && move.rank > graph_.rank[at(cut)];
      if ((gain > 0 || is_later) && move.is_better_than(best)) best = move;
    }
  }

  // In the loop that an edge closes: up from the end that is farther out, until the paths meet.
  TreeCost joints_of(int cut) const {
    int a = graph_.edge(cut).parent;
    int b = graph_.edge(cut).child;
    TreeCost joints = 1;
    for (; a != b; ++joints) {
      int& farther = tree_.distance_of(a) > tree_.distance_of(b) ? a : b;
      if (tree_.distance_of(a) == tree_.distance_of(b)) {
        a = inboard(a);
        ++joints;
        b = inboard(b);
      } else {
        farther = inboard(farther);
      }
    }
    return joints;
  }

  void apply(const Move& move) {
    int edge = move.cut;
    for (int node = move.outer;;) {
      const int next = inboard(node);
      std::swap(edge, tree_.up[at(node)]);
      if (node == move.last) return;
      node = next;
    }
  }

  // The order and the distances of the tree as it is now.
  void walk() {
    const Incidence incident(graph_.node_count(), graph_.edges, tree_.edges(graph_.edges.size()),
                             as_given(graph_.edges));
    tree_.outward.clear();
    std::vector<int> stack{-1};
    while (!stack.empty()) {
      const int inner = stack.back();
      stack.pop_back();
      if (inner >= 0) tree_.outward.push_back(inner);
      for (int i = incident.first[at(inner + 1)]; i < incident.first[at(inner + 2)]; ++i) {
        const int e = incident.edge[at(i)];
        if (inner >= 0 && e == tree_.up[at(inner)]) continue;
        const int outer = graph_.edge(e).other(inner);
        tree_.distance[at(outer)] = tree_.distance_of(inner) + graph_.length(e, inner, outer);
        stack.push_back(outer);
      }
    }
  }

  const TreeGraph& graph_;
  const std::vector<bool>& kept_;
  const std::vector<bool>& left_out_;
  RootedTree& tree_;
  std::vector<int> cuts_;
  std::vector<TreeCost> sizes_;
  std::vector<std::uint64_t> loops_;
};

}  // namespace

void move_cuts(const TreeGraph& graph, const std::vector<bool>& kept,
               const std::vector<bool>& left_out, RootedTree& tree) {
  CutMover(graph, kept, left_out, tree).improve();
}

}  // namespace hamiltree
