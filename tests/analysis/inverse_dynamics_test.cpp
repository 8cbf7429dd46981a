#include "hamiltree/analysis/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/state.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

using analysis::inverse_dynamics;
using analysis::ModelAtPose;
using analysis::transmission;
using Eigen::VectorXd;

// Joints with one degree of freedom that are not driven.
std::vector<std::string> motors_of(const Model& model) {
  std::vector<std::string> names;
  model.visit([&](const auto& system) {
    for (int j = 0; j < model.joint_count(); ++j) {
      const auto& joint = system.joint(j);
      if (joint.along != kNone && joint.velocities == 1) names.push_back(model.joint_name(j));
    }
  });
  return names;
}

// Actuators may choose another spanning tree, and with it another state.
bool same_tree(const Model& a, const Model& b) {
  for (int j = 0; j < a.joint_count(); ++j) {
    if (a.joint_name(j) != b.joint_name(j)) return false;
  }
  return true;
}

Mechanism with_actuators(Mechanism mechanism, const std::vector<std::string>& motors,
                         const VectorXd& efforts) {
  for (std::size_t i = 0; i < motors.size(); ++i) {
    mechanism.add(Actuator{
        "effort " + motors[i], motors[i], Polynomial{{efforts(static_cast<Eigen::Index>(i))}}, {}});
  }
  return mechanism;
}

VectorXd dense_accelerations(const Model& model, double t, const VectorXd& q, const VectorXd& v) {
  const auto formulation = make_formulation("dense", model);
  const auto workspace = formulation->make_workspace();
  const VectorXd p = momenta_of(model, t, q, v);
  const StateView state{t, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
  return Eigen::Map<const VectorXd>(workspace->v_dot.data(), model.velocity_count());
}

class RandomInverse : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

// Efforts of all joints with one freedom, as actuators, give back the accelerations but for what
// they cannot give: T^T M (wanted - reached) = unbalanced.
TEST_P(RandomInverse, IsTheInverseOfDenseAccelerations) {
  const auto [space, topology] = GetParam();
  double worst = 0.0;
  int count = 0, redundant = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto seed = 500 + 1000 * static_cast<std::uint64_t>(topology) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const auto extent = i % 2 == 0 ? Extent::kFull : Extent::kBasic;
    const auto mechanism = cut_where_closed(random.make(space, topology, extent));
    const Model model(mechanism);
    const double t = RandomMechanism::kTime;
    const VectorXd q = model.visit([&](const auto& s) { return random.closed_pose(model, s); });
    const auto motors = motors_of(model);
    std::optional<ModelAtPose> pose;
    try {
      pose.emplace(model, t, q);
    } catch (const SimulationError&) {
      continue;  // singular
    }
    const auto m = pose->freedom();
    const auto result = inverse_dynamics(*pose, random.vector(m), random.vector(m), motors);
    // Rows that only this pose makes redundant may ask for velocities that contradict each other.
    if (m == 0 || m != random.freedom()) continue;
    const Model actuated(with_actuators(mechanism, motors, result.efforts));
    if (!same_tree(model, actuated)) continue;
    const VectorXd missed = result.v_dot - dense_accelerations(actuated, t, pose->q(), result.v);
    const VectorXd forces = pose->motions().transpose() * pose->mass() * missed;
    const double off = (forces - result.unbalanced).lpNorm<Eigen::Infinity>() /
                       (1.0 + (pose->mass() * result.v_dot).lpNorm<Eigen::Infinity>());
    worst = std::max(worst, off);
    EXPECT_LT(off, 1e-11);
    ++count;
    redundant += static_cast<int>(motors.size()) > m ? 1 : 0;
  }
  EXPECT_GT(count, 15);
  std::printf("  %d of them, %d with redundant motors; worst %.1e\n", count, redundant, worst);
}

INSTANTIATE_TEST_SUITE_P(Random, RandomInverse,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::ValuesIn(kTopologies)),
                         [](const auto& info) {
                           return case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

// One motor on the crank of a four-bar: M phi_ddot + M' phi_dot^2 / 2 + V' = effort; all four pins
// share the same work with the least norm.
TEST(InverseDynamics, FourBar) {
  constexpr double phi = 0.9, rate = 1.7, acceleration = -2.4;
  const Model model(FourBar::mechanism(SpaceKind::kSpatial, phi));
  ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
  const auto one = inverse_dynamics(pose, VectorXd::Constant(1, rate),
                                    VectorXd::Constant(1, acceleration), {"A"});
  const double expected =
      static_cast<double>(FourBar::mass(phi) * (acceleration - FourBar::acceleration(phi, rate)));
  EXPECT_NEAR(one.efforts(0), expected, 1e-9);
  const auto all = inverse_dynamics(pose, VectorXd::Constant(1, rate),
                                    VectorXd::Constant(1, acceleration), {"A", "B", "C", "D"});
  // Efforts of least norm are proportional to the rates of their joints.
  const Eigen::MatrixXd J = transmission(pose, {"A"}, {"A", "B", "C", "D"});
  EXPECT_LT((all.efforts - expected * J.col(0) / J.squaredNorm()).norm(), 1e-9);
  EXPECT_NEAR(J.col(0).dot(all.efforts), expected, 1e-9);
}

// Rates of the joints of a four-bar from its geometry, also of the one that closes the loop; and
// back.
TEST(Transmission, FourBar) {
  constexpr double phi = 2.1;
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, phi));
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  const auto J = transmission(pose, {"A"}, {"B", "C", "D"});
  const auto rate = [&](std::size_t bar) {
    return static_cast<double>(
        FourBar::derivative([&](long double x) { return FourBar::angles(x)[bar]; }, phi));
  };
  EXPECT_NEAR(J(0, 0), rate(1) - 1.0, 1e-10);
  EXPECT_NEAR(J(1, 0), rate(2) - rate(1), 1e-10);
  EXPECT_NEAR(J(2, 0), rate(2), 1e-10);
  EXPECT_NEAR(transmission(pose, {"D"}, {"A"})(0, 0), 1.0 / rate(2), 1e-10);
  EXPECT_THROW(transmission(pose, {}, {"A"}), UsageError);
  EXPECT_THROW(transmission(pose, {"A", "A"}, {"B"}), UsageError);
  const Eigen::VectorXd nan = Eigen::VectorXd::Constant(1, std::nan(""));
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  EXPECT_THROW(inverse_dynamics(pose, nan, one, {"A"}), UsageError);
  EXPECT_THROW(inverse_dynamics(pose, one, nan, {"A"}), UsageError);
}

// Two motors turn an ankle with two degrees of freedom, whatever the rest of the robot does: as if
// all the rest were inputs too.
TEST(Transmission, OfAnAnkleLeavesTheRestOpen) {
  const auto model = shipped("biped");
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  const auto J = transmission(pose, {"drive_li", "drive_lo"}, {"ankle_l"});
  ASSERT_EQ(J.rows(), 2);
  ASSERT_EQ(J.cols(), 2);
  const auto all =
      transmission(pose,
                   {"drive_li", "drive_lo", "free", "yaw_l", "roll_l", "pitch_l", "knee_l", "yaw_r",
                    "roll_r", "pitch_r", "knee_r", "drive_ri", "drive_ro"},
                   {"ankle_l"});
  EXPECT_LT((all.leftCols(2) - J).norm(), 1e-12);
  EXPECT_LT(all.rightCols(all.cols() - 2).norm(), 1e-12);
  EXPECT_LT(
      (transmission(pose, {"ankle_l"}, {"drive_li", "drive_lo"}) * J - Eigen::Matrix2d::Identity())
          .norm(),
      1e-12);
  try {
    transmission(pose, {"drive_li"}, {"drive_ri", "ankle_l"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "the inputs do not determine the rate of \"drive_ri\": they leave 17 of 18 degrees "
        "of freedom of biped open");
  }
  EXPECT_THROW(transmission(pose, {"drive_li", "drive_lo"}, {"ankle_l", "knee_l"}), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
