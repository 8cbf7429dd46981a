// Jacobians of points: against differences of closed poses on random mechanisms.
#include "hamiltree/analysis/kinematics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::test {
namespace {

using analysis::BodyPoint;
using analysis::mass_matrix;
using analysis::ModelAtPose;
using analysis::point_jacobian;
using analysis::PointJacobian;
using Eigen::VectorXd;

// Where the point goes along an independent displacement, loops closed: place and turn.
PointJacobian there(const Model& model, double t, const VectorXd& q, const BodyPoint& point,
                    const VectorXd& displacement) {
  ModelAtPose pose(model, t, q);
  EXPECT_TRUE(pose.move(displacement));
  return point_jacobian(pose, point);
}

class RandomPoints : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

TEST_P(RandomPoints, FollowTheIndependentVelocities) {
  const auto [space, topology] = GetParam();
  double worst = 0.0;
  int count = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto seed = 700 + 1000 * static_cast<std::uint64_t>(topology) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(random.make(space, topology, Extent::kFull));
    const VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
    const double t = RandomMechanism::kTime;
    try {
      ModelAtPose pose(model, t, q);
      if (pose.freedom() == 0) continue;
      const BodyPoint point{model.body_name(model.body_count() - 1),
                            {0.3, -0.2, space == SpaceKind::kPlanar ? 0.0 : 0.1}};
      const auto jacobian = point_jacobian(pose, point);
      const VectorXd u = random.vector(pose.freedom());
      constexpr double h = 1e-4;
      const auto at = [&](double s) { return there(model, t, pose.q(), point, s * u); };
      const auto second = [&](double s) {
        const auto ahead = at(s), behind = at(-s);
        VectorXd rates(6);
        const Eigen::Matrix3d W =
            (ahead.rotation - behind.rotation) / (2 * s) * jacobian.rotation.transpose();
        rates << (ahead.position - behind.position) / (2 * s), (W(2, 1) - W(1, 2)) / 2,
            (W(0, 2) - W(2, 0)) / 2, (W(1, 0) - W(0, 1)) / 2;
        return rates;
      };
      const VectorXd exact = (4 * second(h) - second(2 * h)) / 3;
      const double off = (jacobian.of_independent * u - exact).norm() / (1 + exact.norm());
      EXPECT_LT(off, 1e-7);
      worst = std::max(worst, off);
      ++count;
      // u^T M u is twice the kinetic energy.
      EXPECT_GE(u.dot(mass_matrix(pose) * u), -1e-12);
    } catch (const SimulationError&) {  // a singular pose
    } catch (const ModelError&) {
    }
  }
  EXPECT_GT(count, 5);
  std::printf("  %d points, worst %.1e\n", count, worst);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, RandomPoints,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::Values(Topology::kTree, Topology::kSingleLoop,
                                                          Topology::kCoupledLoops)),
                         [](const auto& info) {
                           return case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

TEST(Kinematics, TheMassOfAFourBarIsKnown) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const Model model(FourBar::mechanism(space, 0.6));
    ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
    ASSERT_EQ(pose.freedom(), 1);
    EXPECT_NEAR(mass_matrix(pose)(0, 0), static_cast<double>(FourBar::mass(0.6L)), 1e-12);
  }
}

TEST(Kinematics, OfAnUnknownBodyAreRefused) {
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, 0.6));
  const ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
  EXPECT_THROW(point_jacobian(pose, {"leg", {}}), UsageError);
}

// No answer is given to what is no question.
TEST(Kinematics, WhatIsNotFiniteIsRefused) {
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, 0.6));
  const Eigen::VectorXd q = initial_state(model).q;
  const double nan = std::nan("");
  ModelAtPose pose(model, 0.0, q, {"A"});
  EXPECT_THROW(point_jacobian(pose, {"crank", {nan, 0.0, 0.0}}), UsageError);
  EXPECT_THROW(ModelAtPose(model, nan, q), UsageError);
  EXPECT_THROW(ModelAtPose(model, 0.0, nan * q), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
