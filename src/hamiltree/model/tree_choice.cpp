#include "hamiltree/model/tree_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/topology/move_cuts.hpp"
#include "hamiltree/model/topology/name_order.hpp"
#include "hamiltree/model/topology/short_paths.hpp"

namespace hamiltree {
namespace {

// The cost of cutting a joint that the user speaks of: forces along joints of the tree take fewer
// operations. Values of a cut are solved for, which costs nothing; between equals they decide.
constexpr TreeCost kForceAlong = 3 * kOneJoint;
constexpr TreeCost kInitial = 4;
constexpr TreeCost kGuess = 2;
// The cost of cutting a joint beside a body without inertia, which would then carry nothing: no
// kernel but the general one takes such a tip.
constexpr TreeCost kMasslessTip = 1000 * kOneJoint;

struct JointUse {
  bool force = false;    // acts along it
  bool angle = false;    // and needs its angle over whole turns, of which a cut knows only a part
  bool coupled = false;  // to another joint
};

std::vector<JointUse> uses_of(const Mechanism& mechanism, const NameTable& joints) {
  std::vector<JointUse> uses(mechanism.joints.size());
  const auto use = [&](const std::string& joint, bool position) {
    const auto j = at(joints.find(joint)->second);
    const auto& described = mechanism.joints[j];
    uses[j].force = true;
    if (position && described.type == JointType::kRevolute && !described.drive)
      uses[j].angle = true;
  };
  for (const auto& force : mechanism.forces) {
    const bool position = std::visit(
        [](const auto& f) {
          if constexpr (requires { f.uses_position(); }) return f.uses_position();
          return true;
        },
        force);
    for_each_joint_name(force, [&](const std::string& joint) { use(joint, position); });
  }
  for (const auto& coupling : mechanism.couplings) {
    uses[at(joints.find(coupling.joint)->second)].coupled = true;
    uses[at(joints.find(coupling.to)->second)].coupled = true;
  }
  return uses;
}

std::vector<Edge> edges_of(const Mechanism& mechanism, const NameTable& bodies) {
  const auto node = [&](const std::string& name) {
    return name == kGround ? -1 : bodies.find(name)->second;
  };
  std::vector<Edge> edges;
  edges.reserve(mechanism.joints.size());
  for (const auto& joint : mechanism.joints) {
    edges.push_back({node(joint.parent), node(joint.child)});
  }
  return edges;
}

// The place of each joint in the order of their names.
std::vector<int> ranks_of(const std::vector<JointDescription>& joints) {
  std::vector<int> order(joints.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return is_counted_before(joints[at(a)].name, joints[at(b)].name);
  });
  std::vector<int> ranks(joints.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[at(order[i])] = static_cast<int>(i);
  return ranks;
}

// The edges of `graph` sorted by a key, equal ones by rank.
template <class Key>
std::vector<int> sorted_edges(const TreeGraph& graph, const Key& key) {
  std::vector<int> order(graph.edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto x = key(at(a));
    const auto y = key(at(b));
    return x != y ? x < y : graph.rank[at(a)] < graph.rank[at(b)];
  });
  return order;
}

TreeGraph graph_of(const Mechanism& mechanism, const Names& names,
                   const std::vector<JointUse>& uses) {
  TreeGraph graph;
  graph.edges = edges_of(mechanism, names.bodies);
  graph.rank = ranks_of(mechanism.joints);
  for (const auto& body : mechanism.bodies) {
    graph.mass.push_back(body.mass);
    graph.is_massless.push_back(is_massless(body));
  }
  const auto is_massless_node = [&](int node) { return node >= 0 && graph.is_massless[at(node)]; };
  const int dimension = joint_size(JointType::kFree, mechanism.space).velocities;
  graph.rows_of_pin = dimension - 1;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const auto& joint = mechanism.joints[j];
    const int velocities = joint.drive ? 0 : joint_size(joint.type, mechanism.space).velocities;
    graph.rows.push_back(dimension - velocities);
    const bool initial = joint.initial_q || joint.initial_v;
    const auto& edge = graph.edges[j];
    graph.keeping.push_back(
        (uses[j].force ? kForceAlong : 0) + (initial ? kInitial : 0) +
        (joint.guess_q ? kGuess : 0) +
        (is_massless_node(edge.parent) || is_massless_node(edge.child) ? kMasslessTip : 0));
  }
  return graph;
}

// Not in the order of the file: with loops, even the order of sums may decide on how a run ends.
SpanningTree walked_by_name(const TreeGraph& graph, const std::vector<bool>& in_tree) {
  const auto by_name = sorted_edges(graph, [](std::size_t) { return 0; });
  return walked(graph.node_count(), graph.edges, in_tree, by_name);
}

class TreeChooser {
 public:
  TreeChooser(const Mechanism& mechanism, const Names& names)
      : mechanism_(mechanism),
        uses_(uses_of(mechanism, names.joints)),
        graph_(graph_of(mechanism, names, uses_)) {
    for (const auto& joint : mechanism.joints) left_out_.push_back(joint.cut == true);
  }

  SpanningTree choose() {
    keep_all([&](std::size_t j) { return mechanism_.joints[j].type == JointType::kFree; });
    keep_all([&](std::size_t j) { return mechanism_.joints[j].cut == false; });
    check_kept();
    grow();
    keep_all(
        [&](std::size_t j) { return uses_[j].coupled || mechanism_.joints[j].armature > 0.0; });
    grow();
    keep_all([&](std::size_t j) { return uses_[j].angle; });
    grow();
    return walked_by_name(graph_, in_tree_);
  }

 private:
  // As many `wanted` joints as possible are in the tree: first those that are in it
  // already.
  template <class Wanted>
  void keep_all(const Wanted& wanted) {
    if (kept_.empty()) kept_.assign(graph_.edges.size(), false);
    const auto place = [&](std::size_t j) {
      if (kept_[j]) return 0;
      if (!wanted(j) || left_out_[j]) return 3;
      return !in_tree_.empty() && in_tree_[j] ? 1 : 2;
    };
    auto order = sorted_edges(graph_, place);
    std::erase_if(order, [&](int e) { return place(at(e)) == 3; });
    kept_ = first_joined(graph_.node_count(), graph_.edges, order);
  }

  // The best tree that has what is kept.
  void grow() {
    bool has_all = !in_tree_.empty();
    for (std::size_t j = 0; has_all && j < kept_.size(); ++j) has_all = !kept_[j] || in_tree_[j];
    if (has_all) return;
    auto tree = short_paths(graph_, kept_, left_out_);
    check_reached(tree);
    move_cuts(graph_, kept_, left_out_, tree);
    in_tree_ = tree.edges(graph_.edges.size());
  }

  void check_kept() const {
    for (std::size_t j = 0; j < kept_.size(); ++j) {
      const auto& joint = mechanism_.joints[j];
      if (joint.cut != false || kept_[j]) continue;
      refuse(joint.where, titled("joint", joint.name),
             "cut = false, but all other joints of a loop are to stay in the tree too; one joint "
             "of each loop must be cut");
    }
  }

  void check_reached(const RootedTree& tree) const {
    const auto reached = [&](int node) { return node < 0 || tree.up[at(node)] >= 0; };
    for (std::size_t j = 0; j < left_out_.size(); ++j) {
      const auto& joint = mechanism_.joints[j];
      const auto& edge = graph_.edges[j];
      if (!left_out_[j] || reached(edge.parent) == reached(edge.child)) continue;
      const int lost = reached(edge.parent) ? edge.child : edge.parent;
      refuse(joint.where, titled("joint", joint.name),
             "cut = true, but without it no chain of joints connects body \"" +
                 mechanism_.bodies[at(lost)].name + "\" to the ground");
    }
  }

  const Mechanism& mechanism_;
  std::vector<JointUse> uses_;
  TreeGraph graph_;
  std::vector<bool> left_out_;  // cut = true
  std::vector<bool> kept_, in_tree_;
};

void check_connected(const Mechanism& mechanism, const SpanningTree& tree) {
  if (tree.unreachable.empty()) return;
  const auto& body = mechanism.bodies[at(tree.unreachable.front())];
  refuse(body.where, titled("body", body.name),
         "no chain of joints connects it to the ground; a floating body needs a free joint");
}

int assembly_place(const JointDescription& joint, const JointUse& use) {
  if (joint.type == JointType::kFree) return 0;
  if (use.coupled) return 1;
  if (joint.initial_q) return 2;
  if (joint.drive || joint.initial_v) return 3;
  if (joint.guess_q) return 4;
  return 5;
}

}  // namespace

SpanningTree choose_tree(const Mechanism& mechanism, const Names& names) {
  const auto edges = edges_of(mechanism, names.bodies);
  const int bodies = static_cast<int>(mechanism.bodies.size());
  const auto given = as_given(edges);
  auto tree = walked(bodies, edges, first_joined(bodies, edges, given), given);
  check_connected(mechanism, tree);
  const bool asked =
      std::ranges::any_of(mechanism.joints, [](const auto& joint) { return joint.cut == true; });
  if (tree.cuts.empty() && !asked) return tree;
  return TreeChooser(mechanism, names).choose();
}

SpanningTree assembly_tree(const Mechanism& mechanism, const Names& names,
                           const std::vector<bool>& chosen) {
  const auto uses = uses_of(mechanism, names.joints);
  const auto graph = graph_of(mechanism, names, uses);
  const auto order = sorted_edges(graph, [&](std::size_t j) {
    return std::pair(assembly_place(mechanism.joints[j], uses[j]), !chosen[j]);
  });
  return walked_by_name(graph, first_joined(graph.node_count(), graph.edges, order));
}

}  // namespace hamiltree
