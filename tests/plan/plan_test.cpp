// Plans: whatever the graph, each body and each link is taken once, handles are what crosses the
// border, and joins that close loops are exactly those where the graph gains a cycle.
#include "hamiltree/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/space/planar.hpp"

namespace hamiltree {
namespace {

// The parts of a plan: tree joints, then cuts, then couplings.
struct Graph {
  std::vector<int> inboard;  // of each body
  int joint_count = 0;
  std::vector<PlanLink> links;

  int body_count() const { return static_cast<int>(inboard.size()); }
  int link_count() const { return static_cast<int>(links.size()); }
  const PlanLink& link(int l) const { return links[at(l)]; }

  void add_tree_joint(int parent, int rows) {
    const int body = body_count();
    inboard.push_back(parent);
    add_cut(parent, body, rows);
  }
  void add_cut(int parent, int child, int rows) {
    links.push_back(link_on({parent, child}, rows));
    ++joint_count;
  }
  // Between two joints, it acts on the bodies of both.
  void add_coupling(int joint, int to) {
    std::set<int> bodies;
    for (const int j : {joint, to}) {
      bodies.insert(link(j).bodies.begin(), link(j).bodies.end());
      if (link(j).grounded) bodies.insert(kNone);
    }
    links.push_back(link_on(bodies, 1));
  }
  static PlanLink link_on(const std::set<int>& bodies, int rows) {
    PlanLink link{{}, rows, bodies.count(kNone) > 0};
    std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(link.bodies),
                 [](int b) { return b != kNone; });
    return link;
  }
};

// Independent cycles of the graph of these joints, ground and all bodies as nodes.
int cycles(const Graph& graph, const std::set<int>& used) {
  std::vector<int> leader(graph.inboard.size() + 1);
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[at(i)] != i) i = leader[at(i)];
    return i;
  };
  int count = 0;
  for (const int j : used) {
    if (j >= graph.joint_count) continue;
    const auto& bodies = graph.link(j).bodies;
    const int a = find(bodies.front() + 1);
    const int b = find(graph.link(j).grounded ? 0 : bodies.back() + 1);
    if (a == b) ++count;
    leader[at(std::max(a, b))] = std::min(a, b);
  }
  return count;
}

// The bodies of a compound, worked out from the leaves up.
struct Content {
  std::set<int> bodies;
  std::set<int> eliminated;
};

class Checker {
 public:
  explicit Checker(const Graph& graph)
      : Checker(graph, make_balanced_plan(graph.inboard, graph.joint_count, graph.links)) {}
  Checker(const Graph& graph, Plan plan)
      : graph_(graph), body_count_(graph.body_count()), plan_(std::move(plan)) {}

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
    for (int l = 0; l < graph_.link_count(); ++l) {
      EXPECT_EQ(eliminated.count(l), graph_.link(l).rows > 0 ? 1U : 0U) << "link " << l;
    }
  }

 private:
  void check_leaf(int b) {
    const auto& leaf = plan_.compounds[at(b)];
    EXPECT_EQ(leaf.body, b);
    EXPECT_EQ(leaf.root, b);
    EXPECT_EQ(leaf.depth, 1);
    std::set<int> on_body;
    for (int j = 0; j < graph_.joint_count; ++j) {
      const auto& bodies = graph_.link(j).bodies;
      if (std::count(bodies.begin(), bodies.end(), b) > 0) on_body.insert(j);
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
      EXPECT_TRUE(content.bodies.count(graph_.inboard[at(join.tree_joint)]));
      if (graph_.link(join.tree_joint).rows > 0) {
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
      EXPECT_EQ(content.bodies.count(graph_.inboard[at(b)]) == 0, b == join.root) << "body " << b;
    }
  }

  // A link is internal from the first compound on that holds all its bodies, however many.
  void check_handles(const Compound& compound, const Content& content) {
    std::set<int> kept;
    std::set<int> outboard;
    std::set<int> inside;
    bool grounded = false;
    for (int l = 0; l < graph_.link_count(); ++l) {
      const auto& link = graph_.link(l);
      const auto held = std::count_if(link.bodies.begin(), link.bodies.end(),
                                      [&](int b) { return content.bodies.count(b) > 0; });
      if (held == 0) continue;
      if (held < std::ssize(link.bodies)) {
        kept.insert(l);
        if (l < body_count_ && content.bodies.count(graph_.inboard[at(l)]) > 0) outboard.insert(l);
      } else if (link.rows > 0) {
        inside.insert(l);
        grounded = grounded || link.grounded;
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
  // they hold together may be grounded twice without a cycle, so there it is at least where. So it
  // is with couplings, which may depend on all that is eliminated with them.
  void check_loops(const Compound& compound) {
    const auto gained = [&] {
      int count = cycles(graph_, contents_.back().eliminated);
      if (compound.body != kNone) return count;
      for (const int side : {compound.left, compound.right}) {
        count -= cycles(graph_, contents_[at(side)].eliminated);
      }
      return count;
    }();
    const bool free_joints = std::any_of(graph_.links.begin(), graph_.links.end(),
                                         [](const PlanLink& link) { return link.rows == 0; });
    const bool couplings = graph_.link_count() > graph_.joint_count;
    if (gained > 0 || !(free_joints || couplings)) {
      EXPECT_EQ(compound.closes_loop, gained > 0);
    }
    const bool couples = std::any_of(compound.eliminated.begin(), compound.eliminated.end(),
                                     [&](int l) { return l >= graph_.joint_count; });
    if (couples && compound.eliminated.size() > 1) {
      EXPECT_TRUE(compound.closes_loop);
    }
  }

  const Graph& graph_;
  int body_count_;
  Plan plan_;
  std::vector<Content> contents_;
};

Graph chain(int bodies, int rows = 5) {
  Graph graph;
  for (int b = 0; b < bodies; ++b) graph.add_tree_joint(b - 1, rows);
  return graph;
}

// The compounds that eliminate a link.
std::vector<int> eliminating(const Plan& plan, int link) {
  std::vector<int> compounds;
  for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
    const auto& eliminated = plan.compounds[c].eliminated;
    if (std::count(eliminated.begin(), eliminated.end(), link) > 0) {
      compounds.push_back(static_cast<int>(c));
    }
  }
  return compounds;
}

TEST(BalancedPlan, ChainsHaveLogarithmicDepth) {
  for (int k = 0; k <= 12; ++k) {
    const int n = 1 << k;
    const auto graph = chain(n);
    const Plan plan = make_balanced_plan(graph.inboard, graph.joint_count, graph.links);
    EXPECT_EQ(plan.depth, k + 1) << n << " bodies";
    EXPECT_EQ(plan.compounds.size(), at(2 * n - 1));
  }
}

TEST(BalancedPlan, ChainsOfAnyLengthAreNearlyBalanced) {
  for (int n = 1; n <= 70; ++n) {
    SCOPED_TRACE(n);
    const auto graph = chain(n);
    Checker checker(graph);
    checker.check();
    EXPECT_EQ(checker.closing(), 0);
    EXPECT_LE(checker.plan().depth, 2 + static_cast<int>(std::ceil(std::log2(n))));
  }
}

TEST(BalancedPlan, FourBarClosesOneLoop) {
  auto graph = chain(3, 2);
  graph.add_cut(kNone, 2, 2);
  Checker checker(graph);
  checker.check();
  EXPECT_EQ(checker.closing(), 1);
  EXPECT_EQ(checker.plan().to_text(), "balanced, 3 leaves, 2 joins, depth 3, loops close in 1");
}

TEST(BalancedPlan, OneBodyOnTwoPinsClosesItsLoopInTheLeaf) {
  auto graph = chain(1);
  graph.add_cut(kNone, 0, 5);
  Checker checker(graph);
  checker.check();
  EXPECT_TRUE(checker.plan().compounds.front().closes_loop);
}

// Two rails of bodies from the ground with rungs between them.
TEST(BalancedPlan, LaddersCloseOneLoopPerRung) {
  for (int rungs = 1; rungs <= 12; ++rungs) {
    SCOPED_TRACE(rungs);
    Graph graph;
    for (int b = 0; b < 2 * rungs; ++b) graph.add_tree_joint(b < 2 ? kNone : b - 2, 2);
    for (int r = 0; r < rungs; ++r) graph.add_cut(2 * r, 2 * r + 1, 2);
    Checker checker(graph);
    checker.check();
    std::set<int> all;
    for (int j = 0; j < graph.joint_count; ++j) all.insert(j);
    EXPECT_EQ(cycles(graph, all), rungs);
    EXPECT_GE(checker.closing(), 1);
    EXPECT_LE(checker.closing(), rungs);
  }
}

TEST(BalancedPlan, SeparateMechanismsStaySeparate) {
  // A chain of three, a body that flies, a body on two pins, a pair that flies on one free joint.
  Graph graph = chain(3);
  graph.add_tree_joint(kNone, 0);
  graph.add_tree_joint(kNone, 5);
  graph.add_tree_joint(kNone, 0);
  graph.add_tree_joint(5, 4);
  graph.add_cut(kNone, 4, 5);
  Checker checker(graph);
  checker.check();
  EXPECT_EQ(checker.closing(), 1);
  EXPECT_EQ(checker.plan().compounds.size(), 7U + 3U);
  EXPECT_FALSE(checker.plan().compounds[3].grounded);
  EXPECT_TRUE(checker.plan().compounds[0].grounded);
}

TEST(BalancedPlan, StarsAndEmptyMechanisms) {
  Graph star = chain(1);
  for (int b = 1; b < 20; ++b) star.add_tree_joint(0, 5);
  Checker checker(star);
  checker.check();
  EXPECT_EQ(checker.closing(), 0);
  const Graph nothing;
  Checker(nothing).check();
  EXPECT_EQ(make_balanced_plan({}, 0, {}).depth, 0);
}

// The joints at both ends of a chain, coupled: the row has four bodies, and the last join is the
// first compound that holds them all. Coupled neighbours meet further down.
TEST(BalancedPlan, CouplingsAreEliminatedWhereAllTheirBodiesMeet) {
  auto graph = chain(8, 2);
  graph.add_coupling(1, 7);
  graph.add_coupling(2, 3);
  graph.add_coupling(0, 1);
  EXPECT_EQ(graph.link(8).bodies, (std::vector{0, 1, 6, 7}));
  EXPECT_EQ(graph.link(9).bodies, (std::vector{1, 2, 3}));
  EXPECT_EQ(graph.link(10).bodies, (std::vector{0, 1}));
  EXPECT_TRUE(graph.link(10).grounded);
  Checker checker(graph);
  checker.check();
  const auto& plan = checker.plan();
  const int last = static_cast<int>(plan.compounds.size()) - 1;
  EXPECT_EQ(eliminating(plan, 8), std::vector{last});
  // Eight bodies in a row: pairs join first, then pairs of pairs.
  ASSERT_EQ(eliminating(plan, 9).size(), 1U);
  EXPECT_EQ(plan.compounds[at(eliminating(plan, 9).front())].depth, 3);
  ASSERT_EQ(eliminating(plan, 10).size(), 1U);
  EXPECT_EQ(plan.compounds[at(eliminating(plan, 10).front())].depth, 2);
  EXPECT_EQ(checker.closing(), 3);
}

// Two trees on the ground have nothing in common but a gear between them: it joins them.
TEST(BalancedPlan, CouplingsJoinTrees) {
  Graph graph = chain(2, 2);
  graph.add_tree_joint(kNone, 2);
  graph.add_tree_joint(2, 2);
  EXPECT_EQ(make_balanced_plan(graph.inboard, graph.joint_count, graph.links).compounds.size(), 6U);
  graph.add_coupling(1, 3);
  Checker checker(graph);
  checker.check();
  EXPECT_EQ(eliminating(checker.plan(), 4), std::vector{6});
  EXPECT_EQ(checker.plan().compounds[6].tree_joint, kNone);
  EXPECT_TRUE(checker.plan().compounds[6].closes_loop);
}

// The links of a System: joints as they are written, whichever way the tree runs, and couplings
// with the bodies of both their joints.
TEST(BalancedPlan, OfASystemHasItsJointsAndCouplings) {
  System<Planar<double>> system;
  system.bodies.resize(4);
  const auto add = [&](int parent, int child, bool reversed, int rows) {
    Joint<Planar<double>> joint;
    joint.parent = parent;
    joint.child = child;
    joint.reversed = reversed;
    joint.constraints = rows;
    system.joints.push_back(joint);
  };
  add(kNone, 0, false, 2);
  add(1, 0, true, 2);
  add(1, 2, false, 0);
  add(kNone, 3, false, 2);
  add(3, 2, false, 1);
  system.couplings = {{0, 1, 2.0, 0.0, 1, {}}, {1, 4, 1.0, 0.0, 2, {}}};
  Graph graph;
  graph.add_tree_joint(kNone, 2);
  graph.add_tree_joint(0, 2);
  graph.add_tree_joint(1, 0);
  graph.add_tree_joint(kNone, 2);
  graph.add_cut(3, 2, 1);
  graph.add_coupling(0, 1);
  graph.add_coupling(1, 4);
  EXPECT_EQ(graph.links.back().bodies, (std::vector{0, 1, 2, 3}));
  Checker checker(graph);
  checker.check();
  const Plan plan = make_plan(system);
  ASSERT_EQ(plan.compounds.size(), checker.plan().compounds.size());
  for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
    const auto& expected = checker.plan().compounds[c];
    EXPECT_EQ(plan.compounds[c].left, expected.left);
    EXPECT_EQ(plan.compounds[c].right, expected.right);
    EXPECT_EQ(plan.compounds[c].eliminated, expected.eliminated);
    EXPECT_EQ(plan.compounds[c].kept, expected.kept);
    EXPECT_EQ(plan.compounds[c].joints, expected.joints);
    EXPECT_EQ(plan.compounds[c].outboard, expected.outboard);
    EXPECT_EQ(plan.compounds[c].grounded, expected.grounded);
    EXPECT_EQ(plan.compounds[c].closes_loop, expected.closes_loop);
  }
}

// Random trees with random cuts; in every other round some joints are free and have no rows, and in
// two of three any two joints may be coupled.
TEST(BalancedPlan, RandomGraphsAreContractedOnce) {
  constexpr unsigned kSeed = 1736;
  std::map<std::size_t, int> coupled;  // by the number of their bodies
  for (unsigned i = 0; i < 400; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    std::mt19937 random(kSeed + i);
    const auto integer = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int bodies = integer(1, 30);
    const bool with_free = i % 2 == 1;
    Graph graph;
    for (int b = 0; b < bodies; ++b) {
      const int rows = with_free && integer(0, 3) == 0 ? 0 : integer(1, 6);
      graph.add_tree_joint(integer(std::max(-1, b - 5), b - 1), rows);
    }
    const int cuts = integer(0, 6);
    for (int c = 0; c < cuts; ++c) {
      const int child = integer(0, bodies - 1);
      const int parent = integer(-1, bodies - 1);
      if (parent != child) graph.add_cut(parent, child, integer(1, 6));
    }
    const int couplings = i % 3 == 0 ? 0 : integer(0, 5);
    for (int c = 0; c < couplings; ++c) {
      const int joint = integer(0, graph.joint_count - 1);
      const int to = integer(0, graph.joint_count - 1);
      if (joint == to) continue;
      graph.add_coupling(joint, to);
      ++coupled[graph.links.back().bodies.size()];
    }
    Checker checker(graph);
    checker.check();
    if (HasFatalFailure()) return;
  }
  for (const std::size_t bodies : {1U, 2U, 3U, 4U}) {
    EXPECT_GT(coupled[bodies], 10) << "couplings with " << bodies << " bodies";
  }
}

// Bodies that nothing carries, without rows of their own.
Graph loose(int bodies) {
  Graph graph;
  for (int b = 0; b < bodies; ++b) graph.add_tree_joint(kNone, 0);
  return graph;
}

void add_link(const std::set<int>& bodies, int rows, Graph& graph) {
  graph.links.push_back(Graph::link_on(bodies, rows));
}

Plan minimum_degree(const Graph& graph) {
  return make_minimum_degree_plan(graph.body_count(), graph.links);
}

// Rows of a compound's front: those that it eliminates, then its handles.
std::pair<int, int> front_rows(const Graph& graph, const Compound& compound) {
  const auto rows = [&](const std::vector<int>& links) {
    return std::accumulate(links.begin(), links.end(), 0,
                           [&](int sum, int l) { return sum + graph.link(l).rows; });
  };
  return {rows(compound.eliminated), rows(compound.kept)};
}

double multiplications(const Graph& graph, const Plan& plan) {
  double sum = 0.0;
  for (const auto& compound : plan.compounds) {
    const auto [eliminated, kept] = front_rows(graph, compound);
    for (int j = 0; j < eliminated; ++j) sum += std::pow(eliminated + kept - j, 2);
  }
  return sum;
}

TEST(MinimumDegreePlan, ChainsKeepOneHandle) {
  Graph graph = loose(100);
  for (int b = 1; b < 100; ++b) add_link({b - 1, b}, 2, graph);
  const auto plan = minimum_degree(graph);
  int open_at_both_ends = 0;
  for (std::size_t c = 100; c < plan.compounds.size(); ++c) {
    const auto [eliminated, kept] = front_rows(graph, plan.compounds[c]);
    EXPECT_EQ(eliminated, 2);
    if (kept > 2) ++open_at_both_ends;
  }
  EXPECT_EQ(open_at_both_ends, 0);
  EXPECT_EQ(plan.compounds.size(), 199U);
}

// Strips of four by fifty take three quarters of the work of the balanced plan, squares about as
// much.
TEST(MinimumDegreePlan, GridsTakeLittleWork) {
  for (const auto& [width, height, most] : {std::tuple{4, 50, 0.75}, {8, 8, 1.0}, {16, 16, 1.05}}) {
    Graph graph = loose(width * height);
    for (int b = 0; b < width * height; ++b) {
      if (b % width > 0) add_link({b - 1, b}, 2, graph);
      if (b >= width) add_link({b - width, b}, 2, graph);
    }
    const auto balanced = make_balanced_plan(graph.inboard, graph.joint_count, graph.links);
    EXPECT_LT(multiplications(graph, minimum_degree(graph)),
              most * multiplications(graph, balanced))
        << width << " by " << height;
  }
}

// Columns that stand on the ground, and beams between them: the trees are the columns with their
// beams, which keep all their loops open.
Graph columns(int width, int height) {
  Graph graph;
  for (int i = 0; i < width; ++i) {
    for (int row = 0; row < height; ++row) {
      const int upright = graph.body_count();
      graph.add_tree_joint(row == 0 ? kNone : upright - (i + 1 < width ? 2 : 1), 2);
      if (i + 1 < width) graph.add_tree_joint(upright, 2);
    }
  }
  const auto upright = [&](int i, int row) {
    return i * 2 * height + row * (i + 1 < width ? 2 : 1);
  };
  for (int i = 0; i + 1 < width; ++i) {
    for (int row = 0; row < height; ++row)
      graph.add_cut(upright(i + 1, row), upright(i, row) + 1, 2);
  }
  return graph;
}

TEST(Plan, IsLooseWhereThatHalvesTheWork) {
  for (const int size : {2, 5, 20}) {
    const auto graph = columns(size, size);
    const auto plan = make_plan(graph.inboard, graph.joint_count, graph.links);
    const auto balanced = make_balanced_plan(graph.inboard, graph.joint_count, graph.links);
    const auto loose = make_loose_plan(graph.body_count(), graph.joint_count, graph.links);
    EXPECT_EQ(plan.to_text(), size < 20 ? balanced.to_text() : loose.to_text());
    EXPECT_EQ(plan.along_tree, size < 20);
    EXPECT_LE(loose.depth, balanced.depth + 1);
    std::vector<int> eliminated(at(graph.link_count()), 0);
    for (const auto& compound : loose.compounds) {
      for (const int l : compound.eliminated) ++eliminated[at(l)];
    }
    EXPECT_EQ(eliminated, std::vector<int>(at(graph.link_count()), 1));
    EXPECT_TRUE(loose.compounds.back().kept.empty());
  }
  const auto ladder = columns(500, 1);
  EXPECT_TRUE(make_plan(ladder.inboard, ladder.joint_count, ladder.links).along_tree);
}

TEST(MinimumDegreePlan, RandomGraphsAreContractedOnce) {
  constexpr unsigned kSeed = 2003;
  for (unsigned i = 0; i < 200; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    std::mt19937 random(kSeed + i);
    const auto integer = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int bodies = integer(1, 30);
    Graph graph = loose(bodies);
    for (int c = integer(0, 40); c > 0; --c) {
      std::set<int> ends;
      for (int i = integer(2, 4); i > 0; --i) ends.insert(integer(-1, bodies - 1));
      if (*ends.rbegin() != kNone) add_link(ends, integer(1, 6), graph);
    }
    Checker checker(graph, minimum_degree(graph));
    checker.check();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace hamiltree
