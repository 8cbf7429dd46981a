// A heavy pendulum on a ball that leans on its stop comes to rest there, by every formulation.
#include <gtest/gtest.h>

#include <cmath>

#include "hamiltree/hamiltree.hpp"

namespace hamiltree {
namespace {

constexpr double kAt = 0.5, kStiffness = 1000.0, kWeight = 9.81, kSpin = 0.3;

Mechanism leaning_pendulum() {
  Mechanism m;
  BodyDescription body;
  body.name = "B";
  body.mass = 1.0;
  body.com = {0.0, 0.0, 1.0};  // on its head
  body.inertia = 0.1 * Eigen::Matrix3d::Identity();
  m.add(body);
  JointDescription joint;
  joint.name = "J";
  joint.type = JointType::kSpherical;
  joint.parent = kGround;
  joint.child = "B";
  joint.initial_q = (Eigen::VectorXd(4) << std::cos(0.1), std::sin(0.1), 0.0, 0.0).finished();
  joint.initial_v = Eigen::Vector3d(0.1, 0.2, kSpin);
  m.add(joint);
  m.gravity = {0.0, 0.0, -kWeight};
  m.add(JointLimits{"J", {}, kAt, kStiffness, 100.0, {}, {}});
  m.add(JointFriction{"J", 0.1, 0.5, 0.01, {}});
  return m;
}

TEST(StopOfABall, HoldsAPendulum) {
  for (const auto* formulation : {"recursive", "hdca", "aba", "dense", "dca"}) {
    SimulationOptions options;
    options.formulation = formulation;
    const auto run = Simulation(Model(leaning_pendulum()), options).run_until(20.0, 20.0);
    const auto& end = run.samples.back();
    const double angle = 2.0 * std::acos(std::abs(end.q(0)));
    // Friction holds it a little, and it creeps.
    EXPECT_NEAR(kStiffness * (angle - kAt - 0.005 * kAt), kWeight * std::sin(angle), 0.2)
        << formulation;
    EXPECT_GT(angle, kAt) << formulation;
    EXPECT_LT(end.v.norm(), 1e-2) << formulation;
  }
}

// The moment that turns a pendulum about its ball is what the ball transmits: its stop's, and that
// of its friction.
TEST(StopOfABall, AndItsFrictionAreInTheReaction) {
  auto m = leaning_pendulum();
  m.gravity.setZero();
  m.joints[0].initial_q = Eigen::Vector4d(std::cos(0.4), std::sin(0.4), 0.0, 0.0);
  m.add(ReactionSensor{"R", "J", {}});
  for (const auto* formulation : {"recursive", "hdca", "aba", "dense", "dca"}) {
    SimulationOptions options;
    options.formulation = formulation;
    options.integrator = DormandPrince{1e-12, 1e-12};
    const auto run = Simulation(Model(m), options).run_until(2e-3, 1e-3);
    ASSERT_EQ(run.samples.size(), 3u);
    // Without a load the angular momentum about the ball changes by its moment alone.
    const auto& now = run.samples[1];
    const Eigen::Vector3d rate =
        (run.samples[2].angular_momentum - run.samples[0].angular_momentum) / 2e-3;
    EXPECT_GT(rate.norm(), 10.0) << formulation;
    EXPECT_LT((now.sensors.segment<3>(3) - rate).norm(), 1e-2 * rate.norm()) << formulation;
  }
}

}  // namespace
}  // namespace hamiltree
