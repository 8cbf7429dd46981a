// The momenta of samples: those of a body by itself, and what keeps them or changes them.
#include <gtest/gtest.h>

#include <string>

#include "hamiltree/simulation/sample_numbers.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

BodyDescription flying_body(const std::string& name) {
  BodyDescription b;
  b.name = name;
  b.mass = 2.0;
  b.com = {0.3, -0.2, 0.1};
  b.inertia = Eigen::Vector3d(0.2, 0.3, 0.4).asDiagonal();
  return b;
}

// Two bodies that turn on a ball while both fly, with a spring between them.
Mechanism flying(const Eigen::Vector3d& gravity) {
  Mechanism m;
  m.gravity = gravity;
  m.add(flying_body("A")).add(flying_body("B"));
  JointDescription root;
  root.name = "root";
  root.type = JointType::kFree;
  root.parent = kGround;
  root.child = "A";
  root.at_parent.position = {1.0, 2.0, -0.5};
  root.initial_v = Eigen::VectorXd(6);
  *root.initial_v << 0.4, -0.3, 0.2, 1.0, 0.5, -0.7;
  JointDescription ball;
  ball.name = "ball";
  ball.type = JointType::kSpherical;
  ball.parent = "A";
  ball.child = "B";
  ball.at_parent.position = {0.5, 0.1, 0.0};
  ball.initial_v = Eigen::Vector3d(-0.8, 0.6, 1.1);
  m.add(root).add(ball);
  m.add(PointSpringDamper{
      "spring", {{"A", {0.0, 1.0, 0.0}}, {"B", {0.0, 0.0, 1.0}}}, 3.0, 0.5, 0.2, {}, {}});
  return m;
}

Recording flown(const Mechanism& mechanism) {
  return Simulation(Model(mechanism), {.integrator = DormandPrince{1e-10, 1e-10}})
      .run_until(2.0, 0.1);
}

TEST(Momentum, OfABodyIsThatOfItsCentreAndItsTurn) {
  Mechanism m = flying(Eigen::Vector3d::Zero());
  m.bodies.pop_back(), m.joints.pop_back(), m.forces.clear();
  m.add(BodySensor{"A", "A", {}});
  const auto recording = flown(m);
  ASSERT_EQ(recording.header.sensors[7].name, "A.velocity.x");
  ASSERT_EQ(recording.header.sensors[10].name, "A.omega.x");
  for (const auto& s : recording.samples) {
    const Eigen::Vector3d com = s.sensors.segment<3>(0), v = s.sensors.segment<3>(7),
                          omega = s.sensors.segment<3>(10);
    const Eigen::Quaterniond R(s.sensors(3), s.sensors(4), s.sensors(5), s.sensors(6));
    const Eigen::Vector3d spin = R * (flying_body("A").inertia * (R.inverse() * omega));
    EXPECT_LT((s.linear_momentum - 2.0 * v).norm(), 1e-13);
    EXPECT_LT((s.angular_momentum - com.cross(2.0 * v) - spin).norm(), 1e-13);
  }
}

TEST(Momentum, StaysWithoutForcesFromOutside) {
  const auto recording = flown(flying(Eigen::Vector3d::Zero()));
  const auto& first = recording.samples.front();
  EXPECT_GT(first.linear_momentum.norm(), 1.0);
  EXPECT_GT(first.angular_momentum.norm(), 1.0);
  for (const auto& s : recording.samples) {
    EXPECT_LT((s.linear_momentum - first.linear_momentum).norm(), 1e-8);
    EXPECT_LT((s.angular_momentum - first.angular_momentum).norm(), 1e-8);
  }
}

TEST(Momentum, GrowsWithTheWeight) {
  const Eigen::Vector3d gravity(0.5, -9.81, 1.0);
  const auto recording = flown(flying(gravity));
  const auto& first = recording.samples.front();
  for (const auto& s : recording.samples) {
    EXPECT_LT((s.linear_momentum - first.linear_momentum - 4.0 * s.t * gravity).norm(), 1e-8);
  }
}

TEST(SampleNumbers, AreRestoredAsTheyWere) {
  Sample sample;
  double next = 1.0;
  RecordingHeader header;
  header.conservative = false;
  const auto numbers = sample_numbers(header);
  EXPECT_EQ(numbers.size(), 17u);
  for (const auto& number : numbers) {
    if (number.restore != nullptr) number.restore(sample, next++);
  }
  next = 1.0;
  for (const auto& number : numbers) {
    if (number.restore == nullptr) continue;
    EXPECT_EQ(number.value(sample), next++) << number.name;
  }
  header.planar = header.conservative = true;
  EXPECT_EQ(sample_numbers(header).size(), 8u);
  EXPECT_TRUE(is_sample_number("work.driven"));
  EXPECT_FALSE(is_sample_number("q.A"));
}

}  // namespace
}  // namespace hamiltree
