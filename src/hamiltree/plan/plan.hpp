// Plan: in which order the bodies of a mechanism are contracted to compounds. Made once per Model,
// independent of the space and of any state.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "hamiltree/model/system.hpp"

namespace hamiltree {

// One compound: a single body (leaf) or the join of two compounds. The constraint rows of its
// `eliminated` joints become internal here; those of its `kept` joints are its handles.
struct Compound {
  int body = kNone;                 // of a leaf
  int left = kNone, right = kNone;  // of a join: earlier compounds, left one nearer to the ground
  int tree_joint = kNone;           // of a join along the spanning tree; kNone: along cuts only
  int root = kNone;                 // body nearest to the ground; only while tree-connected
  std::vector<int> joints;          // of a leaf: all joints on the body
  std::vector<int> eliminated;      // links, the tree joint first
  std::vector<int> kept;            // links with some bodies inside and some not
  std::vector<int> outboard;        // tree joints whose parent is inside and whose child is not
  bool grounded = false;            // some eliminated link leads to the ground
  bool closes_loop = false;         // rows of the eliminated links may depend on each other
  int depth = 1;                    // compounds on the longest way down
};

struct Plan {
  std::string strategy;
  std::vector<Compound> compounds;  // leaves first (compound b is body b), then joins bottom-up
  int body_count = 0;
  int depth = 0;           // longest chain of dependent contractions
  bool along_tree = true;  // joins, until trees are whole, are of compounds connected in the tree

  // "balanced, 3 leaves, 2 joins, depth 3, loops close in 1"
  std::string to_text() const;
};

// A plan's view of a link, a joint or a coupling: the bodies that its rows act on. The
// ground is no body.
struct PlanLink {
  std::vector<int> bodies;  // ascending, of a tree joint one or two
  int rows = 0;
  bool grounded = false;  // it also acts on the ground
};

// Pairs neighbouring compounds in rounds: along the tree until every tree on the ground is one
// compound, then across the other links. A chain of n bodies needs about log2(n) rounds. Link b is
// the tree joint of body b, inboard[b] its inboard body; the cuts follow, then the couplings.
Plan make_balanced_plan(const std::vector<int>& inboard, int joint_count,
                        const std::vector<PlanLink>& links);

// The same in rounds, whatever joins two neighbours. Where loops are many this can take far less
// work: trees contracted by themselves keep the rows of all their loops open.
Plan make_loose_plan(int body_count, int joint_count, const std::vector<PlanLink>& links);

// Joins the pair of neighbours that leaves fewest rows open, again and again: least work on one
// core, but a chain of n bodies takes about n / 2 joins one after the other. Link b < body_count is
// what holds body b, which no other body carries.
Plan make_minimum_degree_plan(int body_count, const std::vector<PlanLink>& links);

// The balanced plan, or the loose one where that halves the work.
Plan make_plan(const std::vector<int>& inboard, int joint_count,
               const std::vector<PlanLink>& links);

template <class Space>
Plan make_plan(const System<Space>& system) {
  std::vector<int> inboard;
  for (int b = 0; b < system.body_count(); ++b) inboard.push_back(system.inboard(b));
  std::vector<PlanLink> links;
  const auto add = [&](const std::set<int>& bodies, int rows) {
    PlanLink link{{}, rows, bodies.contains(kNone)};
    for (const int b : bodies) {
      if (b != kNone) link.bodies.push_back(b);
    }
    links.push_back(link);
  };
  for (const auto& j : system.joints) {
    add({j.parent, j.child}, j.constraints + (j.armature > 0.0 ? j.velocities : 0));
  }
  for (const auto& c : system.couplings) {
    const auto& joint = system.joint(c.joint);
    const auto& to = system.joint(c.to);
    add({joint.parent, joint.child, to.parent, to.child}, 1);
  }
  return make_plan(inboard, system.joint_count(), links);
}

extern template Plan make_plan(const System<Planar<double>>&);
extern template Plan make_plan(const System<Spatial<double>>&);

}  // namespace hamiltree
