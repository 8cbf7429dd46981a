// Plans: whatever the graph, each body and each joint is taken once, handles are what crosses the
// border, and joins that close loops are exactly those where the graph gains a cycle.
#include "hamiltree/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace hamiltree {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Independent cycles of the graph of these joints, ground and all bodies as nodes.
int cycles(int body_count, const std::vector<PlanJoint>& joints, const std::set<int>& used) {
  std::vector<int> leader(at(body_count + 1));
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[at(i)] != i) i = leader[at(i)];
    return i;
  };
  int count = 0;
  for (const int j : used) {
    const int a = find(joints[at(j)].parent + 1);
    const int b = find(joints[at(j)].child + 1);
    if (a == b) ++count;
    leader[at(std::max(a, b))] = std::min(a, b);
  }
  return count;
}

// What a compound contains, worked out from the leaves up.
struct Content {
  std::set<int> bodies;
  std::set<int> eliminated;
};

class Checker {
 public:
  Checker(int body_count, const std::vector<PlanJoint>& joints)
      : body_count_(body_count), joints_(joints), plan_(make_balanced_plan(body_count, joints)) {}

  const Plan& plan() const { return plan_; }
  int closing() const {
    return static_cast<int>(std::count_if(plan_.compounds.begin(), plan_.compounds.end(),
                                          [](const Compound& c) { return c.closes_loop; }));
  }

  void check() {
    EXPECT_EQ(plan_.body_count, body_count_);
    ASSERT_GE(plan_.compounds.size(), at(body_count_));
    std::vector<int> taken(plan_.compounds.size(), 0);
    std::multiset<int> eliminated;
    int depth = 0;
    for (int c = 0; c < static_cast<int>(plan_.compounds.size()); ++c) {
      SCOPED_TRACE("compound " + std::to_string(c));
      const auto& compound = plan_.compounds[at(c)];
      if (c < body_count_) {
        check_leaf(c);
      } else {
        ASSERT_LT(compound.left, c);
        ASSERT_LT(compound.right, c);
        ASSERT_GE(compound.left, 0);
        ASSERT_GE(compound.right, 0);
        ++taken[at(compound.left)];
        ++taken[at(compound.right)];
        check_join(compound);
      }
      check_handles(compound, contents_.back());
      check_loops(compound);
      eliminated.insert(compound.eliminated.begin(), compound.eliminated.end());
      depth = std::max(depth, compound.depth);
    }
    EXPECT_EQ(plan_.depth, depth);
    for (const int times : taken) EXPECT_LE(times, 1);  // nobody is contracted twice
    // Compounds that nobody took: together they hold every body, and nothing crosses their border.
    std::multiset<int> bodies;
    for (std::size_t c = 0; c < taken.size(); ++c) {
      if (taken[c] != 0) continue;
      bodies.insert(contents_[c].bodies.begin(), contents_[c].bodies.end());
      EXPECT_TRUE(plan_.compounds[c].kept.empty());
    }
    EXPECT_EQ(bodies.size(), at(body_count_));
    EXPECT_EQ(std::set<int>(bodies.begin(), bodies.end()).size(), at(body_count_));
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      EXPECT_EQ(eliminated.count(j), joints_[at(j)].constraints > 0 ? 1U : 0U) << "joint " << j;
    }
  }

 private:
  void check_leaf(int b) {
    const auto& leaf = plan_.compounds[at(b)];
    EXPECT_EQ(leaf.body, b);
    EXPECT_EQ(leaf.root, b);
    EXPECT_EQ(leaf.depth, 1);
    std::set<int> on_body;
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      if (joints_[at(j)].parent == b || joints_[at(j)].child == b) on_body.insert(j);
    }
    EXPECT_EQ(std::set<int>(leaf.joints.begin(), leaf.joints.end()), on_body);
    EXPECT_EQ(leaf.joints.size(), on_body.size());
    contents_.push_back({{b}, {leaf.eliminated.begin(), leaf.eliminated.end()}});
  }

  void check_join(const Compound& join) {
    Content content = contents_[at(join.left)];
    const Content& right = contents_[at(join.right)];
    EXPECT_EQ(join.body, kNone);
    EXPECT_EQ(join.depth, 1 + std::max(plan_.compounds[at(join.left)].depth,
                                       plan_.compounds[at(join.right)].depth));
    if (join.tree_joint != kNone) {
      // The tree joint leads from the left side to the root of the right one.
      EXPECT_LT(join.tree_joint, body_count_);
      EXPECT_EQ(plan_.compounds[at(join.right)].root, join.tree_joint);
      EXPECT_TRUE(content.bodies.count(joints_[at(join.tree_joint)].parent));
      if (joints_[at(join.tree_joint)].constraints > 0) {
        EXPECT_EQ(join.eliminated.front(), join.tree_joint);
      }
    }
    content.bodies.insert(right.bodies.begin(), right.bodies.end());
    content.eliminated.insert(right.eliminated.begin(), right.eliminated.end());
    content.eliminated.insert(join.eliminated.begin(), join.eliminated.end());
    contents_.push_back(content);
    if (join.tree_joint == kNone) return;
    // Connected in the tree: every body but the root has its parent inside.
    for (const int b : content.bodies) {
      const int parent = joints_[at(b)].parent;
      EXPECT_EQ(content.bodies.count(parent) == 0, b == join.root) << "body " << b;
    }
  }

  void check_handles(const Compound& compound, const Content& content) {
    std::set<int> kept;
    std::set<int> outboard;
    std::set<int> inside;
    bool grounded = false;
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      const auto& [parent, child, rows] = joints_[at(j)];
      const bool has_parent = content.bodies.count(parent) > 0;
      const bool has_child = content.bodies.count(child) > 0;
      if (parent == kNone) {
        if (has_child && rows > 0) {
          grounded = true;
          inside.insert(j);
        }
      } else if (has_parent != has_child) {
        kept.insert(j);
        if (has_parent && j < body_count_) outboard.insert(j);
      } else if (has_parent && rows > 0) {
        inside.insert(j);
      }
    }
    EXPECT_EQ(std::set<int>(compound.kept.begin(), compound.kept.end()), kept);
    EXPECT_EQ(compound.kept.size(), kept.size());
    EXPECT_EQ(content.eliminated, inside);
    EXPECT_EQ(compound.grounded, grounded);
    if (compound.tree_joint != kNone || compound.body != kNone) {
      EXPECT_EQ(std::set<int>(compound.outboard.begin(), compound.outboard.end()), outboard);
    }
  }

  // Rows may depend on each other exactly where a cycle closes. Free joints have no rows: compounds
  // they hold together may be grounded twice without a cycle, so there it is at least where.
  void check_loops(const Compound& compound) {
    const auto gained = [&] {
      int count = cycles(body_count_, joints_, contents_.back().eliminated);
      if (compound.body != kNone) return count;
      for (const int side : {compound.left, compound.right}) {
        count -= cycles(body_count_, joints_, contents_[at(side)].eliminated);
      }
      return count;
    }();
    const bool free_joints = std::any_of(joints_.begin(), joints_.end(),
                                         [](const PlanJoint& j) { return j.constraints == 0; });
    if (gained > 0 || !free_joints) {
      EXPECT_EQ(compound.closes_loop, gained > 0);
    }
  }

  int body_count_;
  const std::vector<PlanJoint>& joints_;
  Plan plan_;
  std::vector<Content> contents_;
};

std::vector<PlanJoint> chain(int bodies, int rows = 5) {
  std::vector<PlanJoint> joints;
  for (int b = 0; b < bodies; ++b) joints.push_back({b - 1, b, rows});
  return joints;
}

TEST(BalancedPlan, ChainsHaveLogarithmicDepth) {
  for (int k = 0; k <= 12; ++k) {
    const int n = 1 << k;
    const auto joints = chain(n);
    const Plan plan = make_balanced_plan(n, joints);
    EXPECT_EQ(plan.depth, k + 1) << n << " bodies";
    EXPECT_EQ(plan.compounds.size(), at(2 * n - 1));
  }
}

TEST(BalancedPlan, ChainsOfAnyLengthAreNearlyBalanced) {
  for (int n = 1; n <= 70; ++n) {
    SCOPED_TRACE(n);
    const auto joints = chain(n);
    Checker checker(n, joints);
    checker.check();
    EXPECT_EQ(checker.closing(), 0);
    EXPECT_LE(checker.plan().depth, 2 + static_cast<int>(std::ceil(std::log2(n))));
  }
}

TEST(BalancedPlan, FourBarClosesOneLoop) {
  auto joints = chain(3, 2);
  joints.push_back({kNone, 2, 2});
  Checker checker(3, joints);
  checker.check();
  EXPECT_EQ(checker.closing(), 1);
  EXPECT_EQ(checker.plan().to_text(), "balanced, 3 leaves, 2 joins, depth 3, 1 closing loops");
}

TEST(BalancedPlan, OneBodyOnTwoPinsClosesItsLoopInTheLeaf) {
  const std::vector<PlanJoint> joints{{kNone, 0, 5}, {kNone, 0, 5}};
  Checker checker(1, joints);
  checker.check();
  EXPECT_TRUE(checker.plan().compounds.front().closes_loop);
}

// Two rails of bodies from the ground with rungs between them.
TEST(BalancedPlan, LaddersCloseOneLoopPerRung) {
  for (int rungs = 1; rungs <= 12; ++rungs) {
    SCOPED_TRACE(rungs);
    std::vector<PlanJoint> joints;
    for (int b = 0; b < 2 * rungs; ++b) joints.push_back({b < 2 ? kNone : b - 2, b, 2});
    for (int r = 0; r < rungs; ++r) joints.push_back({2 * r, 2 * r + 1, 2});
    Checker checker(2 * rungs, joints);
    checker.check();
    std::set<int> all;
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) all.insert(j);
    EXPECT_EQ(cycles(2 * rungs, joints, all), rungs);
    EXPECT_GE(checker.closing(), 1);
    EXPECT_LE(checker.closing(), rungs);
  }
}

TEST(BalancedPlan, SeparateMechanismsStaySeparate) {
  // A chain of three, a body that flies, a body on two pins, a pair that flies on one free joint.
  const std::vector<PlanJoint> joints{{kNone, 0, 5}, {0, 1, 5},     {1, 2, 5}, {kNone, 3, 0},
                                      {kNone, 4, 5}, {kNone, 5, 0}, {5, 6, 4}, {kNone, 4, 5}};
  Checker checker(7, joints);
  checker.check();
  EXPECT_EQ(checker.closing(), 1);
  EXPECT_EQ(checker.plan().compounds.size(), 7U + 3U);
  EXPECT_FALSE(checker.plan().compounds[3].grounded);
  EXPECT_TRUE(checker.plan().compounds[0].grounded);
}

TEST(BalancedPlan, StarsAndEmptyMechanisms) {
  std::vector<PlanJoint> star{{kNone, 0, 5}};
  for (int b = 1; b < 20; ++b) star.push_back({0, b, 5});
  Checker checker(20, star);
  checker.check();
  EXPECT_EQ(checker.closing(), 0);
  const std::vector<PlanJoint> nothing;
  Checker(0, nothing).check();
  EXPECT_EQ(make_balanced_plan(0, nothing).depth, 0);
}

// Random trees with random cuts; in the second round some joints are free and have no rows.
TEST(BalancedPlan, RandomGraphsAreContractedOnce) {
  constexpr unsigned kSeed = 1736;
  for (unsigned i = 0; i < 400; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    std::mt19937 random(kSeed + i);
    const auto integer = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int bodies = integer(1, 30);
    const bool with_free = i % 2 == 1;
    std::vector<PlanJoint> joints;
    for (int b = 0; b < bodies; ++b) {
      const int rows = with_free && integer(0, 3) == 0 ? 0 : integer(1, 6);
      joints.push_back({integer(std::max(-1, b - 5), b - 1), b, rows});
    }
    const int cuts = integer(0, 6);
    for (int c = 0; c < cuts; ++c) {
      const int child = integer(0, bodies - 1);
      const int parent = integer(-1, bodies - 1);
      if (parent != child) joints.push_back({parent, child, integer(1, 6)});
    }
    Checker checker(bodies, joints);
    checker.check();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace hamiltree
