// Which poses are singular and which motions meet there: flat and folded linkages against what is
// known of them, and regular ones that have redundant rows.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <memory>
#include <numbers>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/followed_motion.hpp"
#include "hamiltree/simulation/branches/singular_pose.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/folded.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::flat_parallelograms;
using test::folded_four_bar;
using test::folded_scissor;
using test::plate_on_rods;
using test::sarrus;
using test::truss;

// A model with one block of loops, and its singular pose if there is one.
struct Found {
  std::optional<branches::SingularPose> pose;
  std::unique_ptr<branches::LoopBlock> block;
};
Found find(const Model& model) {
  auto blocks = branches::loop_blocks(model);
  EXPECT_EQ(blocks.size(), 1U);
  auto pose = branches::singular_pose(*blocks.front(), 0.0, initial_state(model).q);
  if (pose) branches::make_charts(*blocks.front(), *pose);
  return {std::move(pose), std::move(blocks.front())};
}

struct SingularCase {
  std::string name;
  Mechanism mechanism;
  int kernel = 0;               // directions that J admits
  std::vector<int> dimensions;  // of the branches, ascending
};
void PrintTo(const SingularCase& value, std::ostream* out) { *out << value.name; }

std::vector<SingularCase> singular_cases() {
  constexpr double kPi = std::numbers::pi;
  const auto four_bar = [](double base, double a, double b, double c, std::array<double, 3> q) {
    return folded_four_bar({base, a, b, c, q});
  };
  return {
      {"parallelogram", folded_four_bar({}), 2, {1, 1}},
      {"parallelogram_in_space", folded_four_bar({}, SpaceKind::kSpatial), 2, {1, 1}},
      {"two_parallelograms", flat_parallelograms(2), 3, {1, 1, 1, 1}},
      {"three_parallelograms", flat_parallelograms(3), 4, {1, 1, 1, 1, 1, 1, 1, 1}},
      {"two_in_space", flat_parallelograms(2, SpaceKind::kSpatial), 3, {1, 1, 1, 1}},
      {"rhombus", four_bar(1.0, 1.0, 1.0, 1.0, {0.0, 0.0, 0.0}), 2, {1, 1}},
      {"kite", four_bar(1.0, 1.0, 0.6, 0.6, {0.0, kPi, kPi}), 2, {1, 1}},
      {"change_point", four_bar(1.0, 0.5, 1.2, 0.7, {0.0, 0.0, 0.0}), 2, {1, 1}},
      // Less the turn about the ground pin, which is in no loop.
      {"scissor_of_two", folded_scissor(2), 2, {1, 1}},
      {"scissor_of_three", folded_scissor(3), 3, {1, 2}},
      {"stretched", four_bar(3.0, 1.0, 1.0, 1.0, {0.0, 0.0, kPi}), 2, {}},
      {"truss", truss(0.0), 2, {1}},
      {"sarrus", sarrus(0.0), 3, {1, 2}},
  };
}

class SingularPoses : public testing::TestWithParam<SingularCase> {};

TEST_P(SingularPoses, AreFoundWithTheMotionsThatMeetThere) {
  const auto& expected = GetParam();
  const Model model(expected.mechanism);
  const auto found = find(model);
  ASSERT_TRUE(found.pose);
  EXPECT_TRUE(found.pose->is_decided);
  EXPECT_EQ(found.pose->kernel.cols(), expected.kernel);
  std::vector<int> dimensions;
  for (const auto& branch : found.pose->branches) dimensions.push_back(branch.dimension());
  std::ranges::sort(dimensions);
  EXPECT_EQ(dimensions, expected.dimensions);
}

// All over a chart the loops are closed, and its derivatives are those of its displacements.
TEST_P(SingularPoses, HaveChartsThatKeepTheLoopsClosed) {
  const Model model(GetParam().mechanism);
  const auto found = find(model);
  ASSERT_TRUE(found.pose);
  for (const auto& branch : found.pose->branches) {
    const auto& chart = *branch.chart;
    const double tolerance = chart.dimension() == 1 ? 1e-14 : 1e-12;
    for (const double share : {-1.0, -0.5, -1e-3, 0.0, 1e-5, 0.2, 0.99}) {
      Eigen::VectorXd s = Eigen::VectorXd::LinSpaced(chart.dimension(), 1.0, 2.0).normalized();
      s *= share * chart.radius();
      const Eigen::VectorXd along = Eigen::VectorXd::Ones(chart.dimension());
      const auto here = chart.point(s, along);
      EXPECT_LT(found.block->gaps(here.displacement).phi.cwiseAbs().maxCoeff(),
                tolerance * found.block->length());
      EXPECT_LT((chart.parameters(here.displacement) - s).norm(), 1e-13);
      const double h = 1e-4;
      const auto ahead = chart.point(s + h * along, along),
                 behind = chart.point(s - h * along, along);
      const Eigen::VectorXd rate = (ahead.displacement - behind.displacement) / (2.0 * h);
      EXPECT_LT((rate - here.rates * along).norm(), 1e-6);
      const Eigen::VectorXd bend = (ahead.rates - behind.rates) * along / (2.0 * h);
      EXPECT_LT((bend - here.curvature).norm(), 1e-4);
    }
  }
}

// From a pose next to it, on each branch, the same singular pose is found.
TEST_P(SingularPoses, AreFoundFromNextToThem) {
  const Model model(GetParam().mechanism);
  const auto found = find(model);
  ASSERT_TRUE(found.pose);
  for (const auto& branch : found.pose->branches) {
    if (branch.dimension() > 1) continue;
    for (const double s : {0.03, -0.01, 1e-4}) {
      const auto blocks = branches::loop_blocks(model);
      found.block->set_home(found.pose->home);
      const auto x = branch.chart->point(Eigen::VectorXd::Constant(1, s), Eigen::VectorXd::Zero(1))
                         .displacement;
      const auto again = branches::singular_pose(*blocks.front(), 0.0, found.block->displaced(x));
      ASSERT_TRUE(again) << s;
      EXPECT_LT((again->home.q - found.pose->home.q).cwiseAbs().maxCoeff(), 1e-12) << s;
      EXPECT_EQ(again->branches.size(), found.pose->branches.size()) << s;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SingularPoses, testing::ValuesIn(singular_cases()),
                         [](const auto& each) { return each.param.name; });

TEST(RegularPoses, AreNotTakenForSingularWhereRowsAreRedundant) {
  for (const auto& mechanism :
       {folded_four_bar({1.0, 0.5, 1.0, 0.5, {0.7, -0.7, 0.7}}),
        folded_four_bar({1.0, 0.5, 1.0, 0.5, {0.7, -0.7, 0.7}}, SpaceKind::kSpatial), truss(0.7),
        sarrus(0.6)}) {
    EXPECT_FALSE(find(Model(mechanism)).pose) << mechanism.name;
  }
  for (const char* name : {"bennett", "door", "bricard", "rssr", "parallelogram", "cardan_shaft"})
    EXPECT_FALSE(find(test::shipped(name)).pose) << name;
}

// A plate on four rods slides sideways as it sinks, or turns about the vertical. Where it does
// both, gaps grow with the fourth power: 4e-9 of the length at 0.05 of it, 4e-13 at a tenth of
// that.
TEST(SingularPose, IsFoundWhereLoopsOpenByTheFourthOrder) {
  const auto found = find(Model(plate_on_rods(4)));
  ASSERT_TRUE(found.pose);
  EXPECT_EQ(found.pose->kernel.cols(), 3);
  EXPECT_TRUE(found.pose->branches.empty());
  EXPECT_FALSE(found.pose->is_decided);
  EXPECT_LT((found.pose->home.q - initial_state(Model(plate_on_rods(4))).q).norm(), 1e-12);
  EXPECT_FALSE(find(Model(plate_on_rods(3))).pose) << "three rods leave it three freedoms";
}

// The antiparallelogram is too much for polynomials that are to follow it twice the length, and has
// no poses four lengths away.
TEST(Charts, SayWhyThereIsNone) {
  using branches::BranchChart, branches::ChartFault;
  const Model model(folded_four_bar({}));
  const auto found = find(model);
  ASSERT_TRUE(found.pose);
  ASSERT_EQ(found.pose->branches.size(), 2U);
  auto& block = *found.block;
  block.set_home(found.pose->home);
  const branches::ReducedLoops loops(block, 1);
  const auto fault = [&](double reach) -> std::optional<ChartFault> {
    const double length = block.length();
    const auto& branch = found.pose->branches[1];
    const auto made = BranchChart::make(block, branch.tangent, reach * length,
                                        branches::sampler(loops, branch.along));
    if (const auto* said = std::get_if<ChartFault>(&made)) return *said;
    return {};
  };
  EXPECT_EQ(fault(1.0), std::nullopt);
  EXPECT_EQ(fault(2.0), ChartFault::kBends);
  EXPECT_EQ(fault(4.0), ChartFault::kOpen);
}

// A pose is found without the charts of its motions.
TEST(Charts, AreMadeWhereTheyAreAskedFor) {
  const Model model(folded_four_bar({}));
  const auto blocks = branches::loop_blocks(model);
  auto& block = *blocks.front();
  auto pose = branches::singular_pose(block, 0.0, initial_state(model).q);
  ASSERT_TRUE(pose);
  ASSERT_EQ(pose->branches.size(), 2U);
  for (const auto& branch : pose->branches) EXPECT_EQ(branch.chart, nullptr);
  auto& branch = pose->branches[1];
  const auto* chart = branches::chart_of(block, *pose, branch);
  ASSERT_NE(chart, nullptr);
  EXPECT_EQ(pose->branches[0].chart, nullptr);
  // A displacement on it, and one beside it.
  const auto s = Eigen::VectorXd::Constant(1, 0.5 * chart->handover());
  Eigen::VectorXd x = chart->point(s, Eigen::VectorXd::Zero(1)).displacement;
  EXPECT_TRUE(branches::may_be_on(block, *pose, branch, x));
  EXPECT_FALSE(branches::may_be_on(block, *pose, pose->branches[0], x));
  x(0) += 1e-5;
  EXPECT_FALSE(branches::may_be_on(block, *pose, branch, x));
  branches::make_charts(block, *pose);
  ASSERT_EQ(pose->branches.size(), 2U);
  EXPECT_EQ(pose->branches[1].chart.get(), chart);
  EXPECT_NE(pose->branches[0].chart, nullptr);
}

// The motion that a mechanism is on leads through the pose as the branch does that is found there,
// without a search. Its direction is that of the branch a little before the pose.
TEST(FollowedMotions, AreTheBranchesThatTheyAreOn) {
  for (const auto& mechanism :
       {folded_four_bar({}), folded_four_bar({}, SpaceKind::kSpatial),
        folded_four_bar({1.0, 1.0, 0.6, 0.6, {0.0, std::numbers::pi, std::numbers::pi}}),
        flat_parallelograms(2, SpaceKind::kSpatial), truss(0.0)}) {
    const Model model(mechanism);
    const auto found = find(model);
    ASSERT_TRUE(found.pose);
    auto& block = *found.block;
    const auto home = [&] { block.set_home(found.pose->home); };
    for (const auto& branch : found.pose->branches) {
      for (const double from : {0.03, -0.01, 1e-3, -1e-4}) {
        home();
        const Eigen::VectorXd s = Eigen::VectorXd::Constant(1, from);
        const auto start = branch.chart->point(s, s);
        const Eigen::VectorXd ahead = from > 0.0 ? -start.rates : start.rates;
        block.set_home(0.0, block.displaced(start.displacement));
        EXPECT_TRUE(branches::moves_one_way(block, ahead));
        if (std::abs(from) > 0.005) {
          EXPECT_FALSE(branches::follow_through_pose(block, -ahead)) << "it leads away";
        }
        home();
        block.set_home(0.0, block.displaced(start.displacement));
        const auto followed = branches::follow_through_pose(block, ahead);
        ASSERT_TRUE(followed) << mechanism.name << " from " << from;
        // As the joints of the model: the two charts have different homes and parameters.
        for (const double along : {-0.9, -0.2, 0.0, 1e-3, 0.5, 0.9}) {
          block.set_home(followed->home);
          const Eigen::VectorXd share =
              Eigen::VectorXd::Constant(1, along * followed->chart.handover());
          const auto q = block.displaced(followed->chart.point(share, share).displacement);
          home();
          const auto x = block.displacement_to(0.0, q);
          if (branch.chart->parameters(x).norm() > branch.chart->radius()) continue;
          const auto on = branch.chart->point(branch.chart->parameters(x), s).displacement;
          EXPECT_LT((x - on).norm(), 1e-11) << mechanism.name << " at " << along;
        }
      }
    }
  }
}

// The last one passes beside a flat pose, in which its rocker is too long for it to lie.
TEST(FollowedMotions, AreNoneWhereNoSingularPoseLiesAhead) {
  auto beside = folded_four_bar({1.0, 0.5, 1.0, 0.5002, {0.1, -0.1, 0.1}});
  for (auto& joint : beside.joints) {
    if (joint.name != "A") joint.guess_q = std::exchange(joint.initial_q, std::nullopt);
  }
  for (const auto& mechanism :
       {folded_four_bar({1.0, 0.5, 1.0, 0.5, {0.7, -0.7, 0.7}}), truss(0.7), sarrus(0.6), beside}) {
    const Model model(mechanism);
    const auto blocks = branches::loop_blocks(model);
    auto& block = *blocks.front();
    block.set_home(0.0, initial_state(model).q);
    const Eigen::MatrixXd J = block.gaps(Eigen::VectorXd::Zero(block.size())).J;
    const Eigen::VectorXd free = singular_value_decomposition(J).V.rightCols(1);
    EXPECT_TRUE(branches::moves_one_way(block, free)) << mechanism.name;
    EXPECT_FALSE(branches::follow_through_pose(block, free)) << mechanism.name;
    EXPECT_FALSE(branches::follow_through_pose(block, -free)) << mechanism.name;
    EXPECT_FALSE(branches::doubtful_rank(block)) << mechanism.name;
  }
  // A row of three pairs of scissors has two freedoms more than its turn about the ground pin.
  const Model model(folded_scissor(3));
  const auto blocks = branches::loop_blocks(model);
  blocks.front()->set_home(0.0, initial_state(model).q);
  EXPECT_FALSE(
      branches::moves_one_way(*blocks.front(), Eigen::VectorXd::Ones(blocks.front()->size())));
}

TEST(SingularPosesOfAnySize, DoNotDependOnTheUnitOfLength) {
  for (const double unit : {1e-3, 1e3}) {
    const Model model(folded_four_bar({unit, 0.5 * unit, unit, 0.5 * unit}));
    const auto found = find(model);
    ASSERT_TRUE(found.pose) << unit;
    EXPECT_EQ(found.pose->branches.size(), 2U) << unit;
  }
}

}  // namespace
}  // namespace hamiltree
