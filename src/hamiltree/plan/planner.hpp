// Shared by every order of contraction: leaves, and joins with what they eliminate and
// keep.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "hamiltree/plan/plan.hpp"

namespace hamiltree {

class Planner {
 public:
  // Makes the leaves. Link b < inboard.size() is the tree joint of body b; the cuts follow up to
  // `joint_count`, then the couplings. The arguments outlive the planner.
  Planner(const std::vector<int>& inboard, int joint_count, const std::vector<PlanLink>& links);

  int inboard(int body) const { return inboard_[static_cast<std::size_t>(body)]; }
  const PlanLink& link(int l) const { return links_[static_cast<std::size_t>(l)]; }
  const Compound& compound(int c) const { return plan_.compounds[static_cast<std::size_t>(c)]; }
  int compound_count() const { return static_cast<int>(plan_.compounds.size()); }

  // The compound that a body belongs to now.
  int owner(int body) const;
  bool is_joined(int c) const { return above_[static_cast<std::size_t>(c)] != kNone; }
  // The compounds that a link of compound c reaches besides c.
  std::set<int> neighbours(int c, int l) const;

  // Joins two compounds, along a tree joint or kNone; returns the index of the join.
  int join(int left, int right, int tree_joint);
  Plan finish(const char* strategy);

 private:
  void make_leaves();

  int joint_count_;
  const std::vector<int>& inboard_;
  const std::vector<PlanLink>& links_;
  mutable std::vector<int> above_;  // a join that has taken each compound, not always the lowest
  Plan plan_;
};

}  // namespace hamiltree
