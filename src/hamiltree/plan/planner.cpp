#include "hamiltree/plan/planner.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

Planner::Planner(const std::vector<int>& inboard, int joint_count,
                 const std::vector<PlanLink>& links)
    : joint_count_(joint_count), inboard_(inboard), links_(links), above_(inboard.size(), kNone) {
  plan_.body_count = static_cast<int>(inboard.size());
  plan_.compounds.reserve(2 * inboard.size());
  make_leaves();
}

// A leaf eliminates its joints to the ground at once.
void Planner::make_leaves() {
  const int body_count = plan_.body_count;
  plan_.compounds.resize(at(body_count));
  for (int b = 0; b < body_count; ++b) {
    plan_.compounds[at(b)].body = b;
    plan_.compounds[at(b)].root = b;
  }
  for (int l = 0; l < static_cast<int>(links_.size()); ++l) {
    const auto& bodies = link(l).bodies;
    for (const int b : bodies) {
      auto& leaf = plan_.compounds[at(b)];
      if (l < joint_count_) leaf.joints.push_back(l);
      if (bodies.size() > 1) {
        leaf.kept.push_back(l);
      } else if (link(l).rows > 0) {
        leaf.eliminated.push_back(l);
      }
    }
    if (l < body_count && inboard(l) != kNone) {
      plan_.compounds[at(inboard(l))].outboard.push_back(l);
    }
  }
  for (auto& leaf : plan_.compounds) {
    leaf.grounded = std::any_of(leaf.eliminated.begin(), leaf.eliminated.end(),
                                [&](int l) { return link(l).grounded; });
    leaf.closes_loop = leaf.eliminated.size() > 1;
  }
}

int Planner::owner(int body) const {
  int c = body;
  while (above_[at(c)] != kNone) {
    int& above = above_[at(c)];
    if (above_[at(above)] != kNone) above = above_[at(above)];
    c = above;
  }
  return c;
}

std::set<int> Planner::neighbours(int c, int l) const {
  std::set<int> others;
  for (const int b : link(l).bodies) {
    if (owner(b) != c) others.insert(owner(b));
  }
  return others;
}

int Planner::join(int left, int right, int tree_joint) {
  const int index = static_cast<int>(plan_.compounds.size());
  Compound c;
  c.left = left;
  c.right = right;
  c.tree_joint = tree_joint;
  c.root = compound(left).root;
  c.depth = 1 + std::max(compound(left).depth, compound(right).depth);
  for (const int side : {left, right}) above_[at(side)] = index;
  above_.push_back(kNone);
  if (tree_joint != kNone) c.eliminated.push_back(tree_joint);
  bool grounded_here = false;
  const auto sort_link = [&](int l) {
    if (!neighbours(index, l).empty()) {
      c.kept.push_back(l);
    } else if (l != tree_joint) {
      c.eliminated.push_back(l);
      grounded_here = grounded_here || link(l).grounded;
    }
  };
  for (const int l : compound(left).kept) sort_link(l);
  for (const int l : compound(right).kept) {
    if (!contains(compound(left).kept, l)) sort_link(l);
  }
  for (const int side : {left, right}) {
    for (const int j : compound(side).outboard) {
      if (j != tree_joint) c.outboard.push_back(j);
    }
  }
  std::erase_if(c.eliminated, [&](int l) { return link(l).rows == 0; });
  const bool both = compound(left).grounded && compound(right).grounded;
  c.grounded = compound(left).grounded || compound(right).grounded || grounded_here;
  // A coupling may bind joints that other rows have locked already.
  const bool couples = std::any_of(c.eliminated.begin(), c.eliminated.end(),
                                   [&](int l) { return l >= joint_count_; });
  c.closes_loop = couples || c.eliminated.size() + (both ? 1U : 0U) > 1U;
  plan_.compounds.push_back(std::move(c));
  return index;
}

Plan Planner::finish(const char* strategy) {
  plan_.strategy = strategy;
  for (const auto& c : plan_.compounds) plan_.depth = std::max(plan_.depth, c.depth);
  return std::move(plan_);
}

}  // namespace hamiltree
