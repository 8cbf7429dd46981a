// Plan: in which order the bodies of a mechanism are contracted to compounds. Made once per Model,
// independent of the space and of any state.
#pragma once

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
  std::vector<int> eliminated;      // joints, the tree joint first
  std::vector<int> kept;            // joints with one side inside
  std::vector<int> outboard;        // tree joints whose parent is inside and whose child is not
  bool grounded = false;            // some eliminated joint leads to the ground
  bool closes_loop = false;         // rows of the eliminated joints may depend on each other
  int depth = 1;                    // compounds on the longest way down
};

struct Plan {
  std::string strategy;
  std::vector<Compound> compounds;  // leaves first (compound b is body b), then joins bottom-up
  int body_count = 0;
  int depth = 0;  // longest chain of dependent contractions

  // "balanced, 3 leaves, 2 joins, depth 3, 1 closing loops"
  std::string to_text() const;
};

// What a plan needs to know of a joint.
struct PlanJoint {
  int parent = kNone, child = 0;
  int constraints = 0;  // rows
};

// Pairs neighbouring compounds in rounds: along the tree until every tree on the ground is one
// compound, then across the cuts. A chain of n bodies needs about log2(n) rounds. The first
// body_count joints are the tree joints of the bodies.
Plan make_balanced_plan(int body_count, const std::vector<PlanJoint>& joints);

template <class Space>
std::vector<PlanJoint> plan_joints(const System<Space>& system) {
  std::vector<PlanJoint> joints;
  joints.reserve(system.joints.size());
  for (const auto& j : system.joints) joints.push_back({j.parent, j.child, j.constraints});
  return joints;
}

}  // namespace hamiltree
