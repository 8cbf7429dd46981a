// Poses at which points are where they are wanted: of a four-bar and of arms in closed form, within
// the limits of their joints.
#include "hamiltree/analysis/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::test {
namespace {

using analysis::inverse_kinematics;
using analysis::Limits;
using analysis::ModelAtPose;
using analysis::PointTarget;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(InverseKinematics, AFourBarReachesAPose) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const Model model(FourBar::mechanism(space, 0.6));
    const double wanted = 1.9;
    const double coupler = static_cast<double>(FourBar::angles(wanted)[1]);
    const Eigen::Vector3d target{
        FourBar::kCrank * std::cos(wanted) + 0.4 * std::cos(coupler) - 0.2 * std::sin(coupler),
        FourBar::kCrank * std::sin(wanted) + 0.4 * std::sin(coupler) + 0.2 * std::cos(coupler),
        0.0};
    ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
    const auto found = inverse_kinematics(pose, {{{"coupler", {0.4, 0.2, 0.0}}, target}});
    EXPECT_TRUE(found.reached);
    EXPECT_NEAR(found.q(0), wanted, 1e-9);
    EXPECT_LT(found.steps, 30);
  }
}

// Out of reach: the end of the crank comes as near as it can, and says that it is not there.
TEST(InverseKinematics, WhatIsOutOfReachIsComeNearTo) {
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, 0.6));
  ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
  const auto found =
      inverse_kinematics(pose, {{{"crank", {FourBar::kCrank, 0.0, 0.0}}, {0.0, 1.0, 0.0}}});
  EXPECT_FALSE(found.reached);
  EXPECT_NEAR(found.miss, 1.0 - FourBar::kCrank, 1e-6);
  EXPECT_NEAR(found.q(0), std::numbers::pi / 2, 1e-3);
}

TEST(InverseKinematics, TargetsAreFinite) {
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, 0.6));
  ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
  EXPECT_THROW(inverse_kinematics(pose, {{{"crank", {0.1, 0.0, 0.0}}, {std::nan(""), 0.0, 0.0}}}),
               UsageError);
}

JointLimits limits(const std::string& joint, double lower, double upper) {
  JointLimits limits;
  limits.joint = joint;
  limits.lower = lower;
  limits.upper = upper;
  limits.stiffness = 1e4;
  return limits;
}

// Two links of a metre.
Mechanism arm(const std::vector<JointLimits>& all) {
  Mechanism m;
  m.name = "arm";
  m.space = SpaceKind::kPlanar;
  m.add(bar("a", 1.0, 0.5, 0.1)).add(bar("b", 1.0, 0.5, 0.1));
  m.add(pin("A", kGround, "a")).add(pin("B", "a", "b", 1.0));
  for (const auto& one : all) m.add(one);
  return m;
}

std::vector<PointTarget> hand_at(double x, double y) {
  return {{{"b", {1.0, 0.0, 0.0}}, {x, y, 0.0}}};
}

// Of the elbow, from the law of cosines.
double bend_at(double x, double y) { return std::acos((x * x + y * y - 2.0) / 2.0); }

// The steps from this start lead to the other elbow, which is nearer.
TEST(InverseKinematics, AnArmStaysWithinItsLimits) {
  const Model model(arm({limits("B", 0.0, 2.5)}));
  ModelAtPose pose(model, 0.0, Eigen::Vector2d{0.9, -0.5});
  const auto found = inverse_kinematics(pose, hand_at(1.2, 0.5));
  EXPECT_TRUE(found.reached);
  EXPECT_NEAR(found.q(1), bend_at(1.2, 0.5), 1e-9);
  ModelAtPose free(model, 0.0, Eigen::Vector2d{0.9, -0.5});
  const auto ignored = inverse_kinematics(free, hand_at(1.2, 0.5), Limits::kIgnored);
  EXPECT_TRUE(ignored.reached);
  EXPECT_NEAR(ignored.q(1), -bend_at(1.2, 0.5), 1e-9);
}

TEST(InverseKinematics, WhereAllPosesAreBeyondALimitTheNearestIsAtIt) {
  const Model model(arm({limits("A", -3.0, 3.0), limits("B", 0.3, 0.9)}));
  for (const double start : {-2.0, 0.5, 4.0}) {
    ModelAtPose pose(model, 0.0, Eigen::Vector2d{start, start});
    const auto found = inverse_kinematics(pose, hand_at(0.5, 0.5));
    EXPECT_FALSE(found.reached);
    EXPECT_EQ(found.q(1), 0.9) << start;
    // The hand is on the line from the shoulder to the target.
    EXPECT_NEAR(found.miss, 2.0 * std::cos(0.45) - std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(found.q(0), std::numbers::pi / 4 - 0.45, 1e-4);
  }
}

// Nothing is moved but by the limits.
TEST(InverseKinematics, AStartBeyondLimitsIsMovedWithin) {
  const Model model(arm({limits("A", 0.0, 0.5), limits("B", -0.4, 1.0)}));
  ModelAtPose pose(model, 0.0, Eigen::Vector2d{-0.7, 1.3});
  const double x = 1.0 + std::cos(1.0), y = std::sin(1.0);  // at {0, 1}
  const auto found = inverse_kinematics(pose, hand_at(x, y));
  EXPECT_TRUE(found.reached);
  EXPECT_EQ(found.steps, 0);
  EXPECT_EQ(found.q, (Eigen::Vector2d{0.0, 1.0}));
}

// All motions of a stretched arm are across the line on which the target is.
TEST(InverseKinematics, AStretchedArmReachesBehindAndInwards) {
  const Model model(arm({}));
  for (const double x : {-1.2, 1.2}) {
    ModelAtPose pose(model, 0.0, VectorXd::Zero(2));
    const auto found = inverse_kinematics(pose, hand_at(x, 0.0));
    EXPECT_TRUE(found.reached) << x;
    EXPECT_NEAR(std::abs(std::remainder(found.q(1), 2.0 * std::numbers::pi)), bend_at(x, 0.0),
                1e-9);
  }
}

// Crank, dependent joints and cut: each stops the whole linkage half-way to the target.
TEST(InverseKinematics, LimitsOfAllJointsOfALoopCount) {
  const double start = 0.6, end = 1.4, wanted = 1.9;
  const auto turns = [](double phi) {
    const auto [crank, coupler, rocker] = FourBar::angles(phi);
    return std::vector<std::pair<std::string, double>>{{"A", static_cast<double>(crank)},
                                                       {"B", static_cast<double>(coupler - crank)},
                                                       {"C", static_cast<double>(rocker - coupler)},
                                                       {"D", static_cast<double>(rocker)}};
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const auto [joint, there] = turns(end)[i];
    SCOPED_TRACE(joint);
    const bool grows = there > turns(start)[i].second;
    auto m = FourBar::mechanism(SpaceKind::kPlanar, start);
    m.add(grows ? limits(joint, there - 3.0, there) : limits(joint, there, there + 3.0));
    const Model model(m);
    const Vector3d target{FourBar::kCrank * std::cos(wanted), FourBar::kCrank * std::sin(wanted),
                          0.0};
    ModelAtPose pose(model, 0.0, initial_state(model).q);
    const auto found = inverse_kinematics(pose, {{{"crank", {FourBar::kCrank, 0.0, 0.0}}, target}});
    EXPECT_NEAR(found.miss, 2.0 * FourBar::kCrank * std::sin((wanted - end) / 2.0), 1e-8);
  }
}

TEST(InverseKinematics, LimitsThatNoPoseKeepsAreSaid) {
  const Model model(arm({limits("B", 0.0, 1.0), limits("B", 1.5, 2.0)}));
  ModelAtPose pose(model, 0.0, VectorXd::Zero(2));
  try {
    inverse_kinematics(pose, hand_at(1.2, 0.5));
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("no pose of arm within the limits of its joints"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace hamiltree::test
