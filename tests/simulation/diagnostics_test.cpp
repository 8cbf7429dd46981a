// A run's diagnostics of energies and of near-singular poses.
#include "hamiltree/simulation/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

TEST(NearSingularNotes, TellPassagesAtAJointInOneLine) {
  Diagnostics d;
  d.near_singular(0.1, {"A"});
  d.near_singular(0.2, {"A", "B"});
  d.near_singular(0.3, {"B"});
  d.near_singular(0.4, {"A"});
  d.near_singular(0.5, {});
  const auto notes = d.all_notes({});
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0],
            "near-singular at joint A 2 times, t = 0.1 s to 0.4 s, for 0.1 s at the longest");
  EXPECT_EQ(notes[1], "near-singular at joint B, t = 0.2 s to 0.3 s");
}

TEST(NearSingularNotes, CountFurtherJoints) {
  Diagnostics d;
  std::vector<std::string> joints;
  for (int i = 0; i < 100; ++i) joints.push_back("J" + std::to_string(i));
  d.near_singular(0.1, joints);
  const auto notes = d.all_notes({});
  ASSERT_EQ(notes.size(), 9u);
  EXPECT_EQ(notes.back(), "near-singular at 92 further joints");
}

// A pendulum that hangs still has an energy error of rounding, and no energy that moves.
TEST(EnergyWatch, SaysNothingOfRoundingAtRest) {
  Mechanism mechanism;
  mechanism.name = "hanging still";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.6 * 9.81, -0.8 * 9.81, 0.0};
  BodyDescription bob;
  bob.name = "bob";
  bob.mass = 0.7;
  bob.com = {0.3, -0.4, 0.0};
  bob.inertia = Eigen::Vector3d(0.01, 0.01, 0.01).asDiagonal();
  mechanism.add(bob);
  JointDescription pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.parent = kGround;
  pin.child = "bob";
  mechanism.add(pin);
  const auto recording = Simulation(Model(mechanism)).run_until(1.0, 0.1);
  const auto& energy = recording.summary.energy;
  std::printf("energy error %.2g J, relative %.2g\n", energy.max_error, energy.max_relative_error);
  EXPECT_LE(std::abs(recording.samples.back().q(0)), 1e-12);
  EXPECT_LE(energy.max_relative_error, 1e-6);
}

// Energies that are computed anew at rest differ in their last digit; no gate may fail by that.
TEST(EnergyWatch, TakesRoundingOff) {
  EnergyWatch watch;
  watch.start(0.0, 9810.0);
  watch.add(1e-25, 9810.0 + 1.8e-12, {});
  EXPECT_GT(watch.error, 1e-12);
  EXPECT_EQ(watch.relative_error(), 0.0);
  watch.add(0.0, 9810.0 + 1e-4, {});
  EXPECT_NEAR(watch.relative_error(), 1.0, 1e-4);
  watch.add(0.0, std::nan(""), {});
  EXPECT_TRUE(std::isnan(watch.relative_error()));
}

// Without weight, what bodies that turn slowly have is there.
TEST(EnergyWatch, HasAFloorWithoutWeight) {
  EnergyWatch watch;
  watch.turning = 0.5;
  watch.start(0.0, 0.0);
  watch.add(1e-25, 0.0, {});
  EXPECT_NEAR(watch.relative_error(), 2e-16, 1e-20);
  watch.add(1e-6, 0.0, {.driven = 1e-6 - 1e-12});  // 1 mrad/s
  EXPECT_NEAR(watch.relative_error(), 1e-6, 1e-12);
  EXPECT_EQ(watch.scale(), 1e-6);
}

// Stiff spring-dampers at their length, all at rest: what is off is within the tolerances of what
// they do, 1e-9, and was as much as there is.
TEST(EnergyWatch, IsSmallAtRestWithoutGravity) {
  auto mechanism = test::shipped("iftomm_a05_flyball_governor").mechanism();
  mechanism.gravity.setZero();
  for (auto& joint : mechanism.joints) joint.initial_v.reset();
  Simulation simulation(Model{mechanism});
  const auto recording = simulation.run_until(2.0, 0.1);
  const auto& energy = recording.summary.energy;
  std::printf("energy error %.2g J, relative %.2g\n", energy.max_error, energy.max_relative_error);
  EXPECT_GT(energy.max_error, 0.0);
  EXPECT_LE(energy.max_relative_error, 1e-5);  // measured: 2.5e-6
  for (const double error : relative_energy_errors(recording.samples, energy.scale))
    EXPECT_LE(error, energy.max_relative_error);
}

// A motor that turns a wheel against friction: what it does is larger than what is stored.
TEST(EnergyWatch, IsRelativeToWorkWhereThatIsMost) {
  EnergyWatch watch;
  watch.start(2.0, 0.0);
  watch.add(2.0, 0.0, {.driven = 500.0, .applied = 0.0, .dissipated = -499.5});
  EXPECT_EQ(watch.scale(), 500.0);
  EXPECT_DOUBLE_EQ(watch.relative_error(), (0.5 - 2e-14) / 500.0);
}

// Forces that see the bodies give the energy of the pose at which it is asked for, whatever the
// method evaluated last.
TEST(EnergyWatch, SeesTheBodiesAtTheEndOfEveryStep) {
  Mechanism mechanism;
  mechanism.name = "body on a spring";
  BodyDescription body;
  body.name = "body";
  body.mass = 1.3;
  body.inertia = Eigen::Vector3d(0.02, 0.03, 0.04).asDiagonal();
  mechanism.add(body);
  JointDescription joint;
  joint.name = "free";
  joint.type = JointType::kFree;
  joint.parent = kGround;
  joint.child = "body";
  joint.initial_v = Eigen::VectorXd{{0.3, -0.2, 0.5, 0.4, 0.1, -0.3}};
  mechanism.add(joint);
  PointSpringDamper spring;
  spring.name = "spring";
  spring.points = {{kGround, {0.0, 0.0, 1.0}}, {"body", {0.1, 0.05, 0.0}}};
  spring.stiffness = 40.0;
  spring.rest_length = 0.8;
  mechanism.add(spring);
  for (const auto* method : {"rk4", "spark_2", "adams", "bdf"}) {
    SimulationOptions options;
    options.formulation = "recursive";
    options.integrator = *method_from_name(method);
    const auto recording = Simulation(Model(mechanism), options).run_until(1.0, 0.1);
    const auto& energy = recording.summary.energy;
    std::printf("%s: energy error %.2g J\n", method, energy.max_error);
    EXPECT_LE(energy.max_error, 1e-5) << method;
  }
}

// Nothing is near a singular pose here: the damper turns the stages' fixed point away.
TEST(Notes, SayThatStiffStepsWereNotThoseOfSpark) {
  auto mechanism = test::shipped("four_bar").mechanism();
  mechanism.add(JointSpringDamper{"B", 0.0, 0.0, 5.0, {}});
  SimulationOptions options;
  options.integrator = Spark{2, 1e-2};
  const auto notes = Simulation(Model(mechanism), options).run_until(0.1, 0.05).summary.notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "10 steps did not converge, near singular poses or where forces are too stiff for "
            "steps of this length, or left a loop open that only bodies without inertia close, and "
            "were taken by dormand_prince with projection: those are not symplectic");
}

TEST(EnergyWatch, ComparesWithTheEnergyThatMoves) {
  EnergyWatch watch;
  watch.weight = 1.0;
  watch.start(0.0, 10.0);
  watch.add(0.5, 9.5 + 1e-9, {});
  EXPECT_NEAR(watch.relative_error(), 2e-9, 1e-12);
}

// A run that goes on has done work before its first sample.
TEST(EnergyErrors, OfSamplesCountWorkFromTheFirstOne) {
  std::vector<Sample> samples(3);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].kinetic_energy = 10.0 - 4.0 * static_cast<double>(i);
    samples[i].work.dissipated = -80.0 - 4.0 * static_cast<double>(i);
  }
  for (const double error : relative_energy_errors(samples, 0.0)) EXPECT_EQ(error, 0.0);
}

}  // namespace
}  // namespace hamiltree
