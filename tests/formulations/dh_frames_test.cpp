// Trees of revolute joints in DH frames against the divide-and-conquer algorithm, at every way that
// one axis can lie to the next.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "support/dh_rates.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {
namespace {

struct Case {
  std::string name;
  Axes axes;
  int reach;  // 1: a chain
};

class DhFrames : public testing::TestWithParam<Case> {};

// The largest difference of what two formulations find, relative to the largest entry.
double difference(const Formulation& one, const Formulation& other, const StateView& state) {
  const auto a = one.make_workspace(), b = other.make_workspace();
  other.analyse(state, *b);
  EXPECT_EQ(one.rate(state, *a), Status::kOk);
  EXPECT_EQ(other.rate(state, *b), Status::kOk);
  double worst = 0.0;
  for (const auto& [x, y] : {std::pair{a->v, b->v}, {a->u_dot, b->u_dot}, {a->q_dot, b->q_dot}}) {
    double size = 0.0, off = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = std::max(size, std::abs(y[i]));
      off = std::max(off, std::abs(x[i] - y[i]));
    }
    worst = std::max(worst, off / size);
  }
  return worst;
}

TEST_P(DhFrames, GiveTheRatesOfOtherFormulations) {
  const auto& c = GetParam();
  for (const int n : {1, 2, 3, 7, 20}) {
    Pins pins(static_cast<unsigned>(n));
    const Model model(pins.tree(n, c.axes, c.reach));
    const auto recursive = make_formulation("recursive", model);
    EXPECT_NE(recursive->plan().find("DH frames"), std::string::npos);
    const Eigen::VectorXd q = 3.0 * pins.vector(n), p = pins.vector(n);
    const StateView state{0.0, q.data(), p.data()};
    for (const auto* name : {"dense", "hdca"})
      EXPECT_LT(difference(*recursive, *make_formulation(name, model), state), 1e-11)
          << name << ", " << n << " bodies";
  }
}

// A tree whose first body floats; several may stand on the ground.
TEST_P(DhFrames, GiveTheRatesOfFloatingTrees) {
  const auto& c = GetParam();
  for (const int n : {1, 2, 7, 20}) {
    Pins pins(static_cast<unsigned>(n));
    const Model model(pins.floating_tree(n, c.axes, c.reach));
    const auto recursive = make_formulation("recursive", model);
    const bool in_plane = c.axes == Axes::kInPlane;  // where nothing floats in DH frames
    EXPECT_EQ(recursive->plan().find("DH frames") == std::string::npos, in_plane);
    const Eigen::VectorXd q = 3.0 * pins.vector(model.coordinate_count()),
                          p = pins.vector(model.velocity_count());
    const StateView state{0.0, q.data(), p.data()};
    EXPECT_LT(difference(*recursive, *make_formulation("dense", model), state), 1e-11)
        << n << " bodies";
  }
}

// Every way to lay subtrees or segments side by side gives what one after the other gives.
TEST_P(DhFrames, GiveTheSameInLanes) {
  const auto& c = GetParam();
  for (const int n : {12, 40, 61, 90}) {
    Pins pins(static_cast<unsigned>(n));
    const bool floats = c.reach == 2 && c.axes != Axes::kInPlane;
    const Model model(floats ? pins.floating_tree(n, c.axes, c.reach)
                             : pins.tree(n, c.axes, c.reach));
    const auto tree = *dh_frames::tree_of(model);
    const Eigen::VectorXd q = 3.0 * pins.vector(model.coordinate_count()),
                          p = pins.vector(model.velocity_count());
    const auto serial = rates(dh_frames::kernels(), tree, q, p);
    for (const double hand_over : {0.0, 20.0, 200.0}) {
      const auto cut = dh_frames::into_lanes(tree, {.revolute = 100.0,
                                                    .lane_step = 110.0,
                                                    .hand_over = hand_over,
                                                    .segment_step = 1.0,
                                                    .joins = 0.0});
      if (c.reach != 2) {
        EXPECT_EQ(cut.lane_groups.empty(), c.reach == 1);
        EXPECT_EQ(cut.chain.has_value(), c.reach == 1 && n != 12);
      }
      EXPECT_LT((rates(dh_frames::kernels(), cut, q, p) - serial).norm(), 1e-12 * serial.norm())
          << n << " bodies";
    }
  }
}

// The plan that is predicted to be fastest never loses to the plain one by its own prediction, and
// small systems keep it.
TEST(ScrewPlan, LeavesSmallChainsAlone) {
  for (const int n : {2, 7, 16, 32}) {
    const auto tree = *dh_frames::tree_of(Model(Pins(3).tree(n, Axes::kAny, 1)));
    const auto plan = dh_frames::into_lanes(tree, dh_frames::costs_of(tree));
    EXPECT_FALSE(plan.chain);
    EXPECT_TRUE(plan.lane_groups.empty());
  }
  const auto tree = *dh_frames::tree_of(Model(Pins(3).tree(128, Axes::kAny, 1)));
  const auto& costs = dh_frames::costs_of(tree);
  const auto plan = dh_frames::into_lanes(tree, costs);
  EXPECT_TRUE(plan.chain);
  EXPECT_LT(costs.of(plan), costs.of(tree));
}

TEST(ScrewPlan, IsTheUsersChoice) {
  const auto plan = [](const Model& model, LaneChoice lanes) {
    return make_formulation("recursive", model, {.lanes = lanes})->plan();
  };
  const auto in_lanes = [](const std::string& plan) {
    return plan.find("lanes") != std::string::npos;
  };
  const Model few(Pins(3).tree(16, Axes::kAny, 1)), many(Pins(3).tree(128, Axes::kAny, 1));
  EXPECT_FALSE(in_lanes(plan(few, LaneChoice::kAuto)));
  EXPECT_TRUE(in_lanes(plan(few, LaneChoice::kAlways)));
  EXPECT_TRUE(in_lanes(plan(many, LaneChoice::kAuto)));
  EXPECT_FALSE(in_lanes(plan(many, LaneChoice::kNever)));
  EXPECT_THROW(make_formulation("hdca", few, {.lanes = LaneChoice::kNever}), UsageError);
  auto sliding = Pins(3).tree(16, Axes::kAny, 1);
  sliding.joints.back().type = JointType::kPrismatic;
  EXPECT_THROW(plan(Model(sliding), LaneChoice::kAlways), UsageError);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, axes] : {std::pair{"any", Axes::kAny},
                                   {"parallel", Axes::kParallel},
                                   {"antiparallel", Axes::kAntiparallel},
                                   {"right_angles", Axes::kRightAngles},
                                   {"crossing", Axes::kCrossing},
                                   {"nearly_parallel", Axes::kNearlyParallel},
                                   {"in_plane", Axes::kInPlane}}) {
    for (const int reach : {1, 2, 4})
      all.push_back({std::string(name) + (reach == 1 ? "_chain" : "_tree_" + std::to_string(reach)),
                     axes, reach});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ways, DhFrames, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hamiltree::test
