// Joints that are not in the state are recorded like those that are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::shipped;

Recording run_with_cut(const std::string& mechanism, const std::string& joint, const char* cut,
                       double until) {
  const auto model = shipped(mechanism, {"joint." + joint + ".cut=" + cut});
  return Simulation(model, {.integrator = DormandPrince{1e-11, 1e-11}}).run_until(until, until);
}

// The output shaft turns five times in 3 s, and nothing is recorded in between.
TEST(OutsideJoints, CountWholeTurns) {
  const auto in_tree = run_with_cut("cardan_shaft", "output", "false", 3.0);
  const auto as_cut = run_with_cut("cardan_shaft", "output", "true", 3.0);
  const auto angle = column(as_cut, "q.output").back();
  EXPECT_GT(std::abs(angle), 28.0);
  EXPECT_NEAR(angle, column(in_tree, "q.output").back(), 1e-7);
  EXPECT_NEAR(column(as_cut, "v.output").back(), column(in_tree, "v.output").back(), 1e-7);
}

TEST(OutsideJoints, KeepTheSignOfQuaternions) {
  const auto model = shipped("rssr", {"joint.B.cut=true"});
  ASSERT_GE(*model.find_joint("B"), model.body_count());
  const auto run =
      Simulation(model, {.integrator = DormandPrince{1e-9, 1e-9}}).run_until(2.0, 0.01);
  const auto w = column(run, "q.B.quat_w");
  for (std::size_t i = 1; i < w.size(); ++i) EXPECT_NEAR(w[i], w[i - 1], 0.2) << i;
  EXPECT_LT(*std::ranges::min_element(w), -0.5);
}

TEST(OutsideJoints, HaveTheCoordinatesOfTheirDrives) {
  const auto run = run_with_cut("driven_slider_crank", "A", "false", 0.5);
  EXPECT_NEAR(column(run, "q.A").back(), 5.5, 1e-12);
  EXPECT_EQ(column(run, "v.A").back(), 10.0);
}

// The frame of the cut pin spins on the ground, beside a bar that stands still.
TEST(OutsideJoints, CountTurnsOfDrivenFrames) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity.setZero();
  BodyDescription bar;
  bar.name = "bar";
  bar.mass = 1.0;
  bar.inertia.setIdentity();
  mechanism.add(bar);
  JointDescription joint;
  joint.name = "pin";
  joint.parent = kGround;
  joint.child = "bar";
  mechanism.add(joint);
  joint.name = "spinning";
  joint.cut = true;
  joint.parent_motion.emplace().rz = Polynomial{{0.0, 50.0}};
  mechanism.add(joint);
  const Model model(mechanism);
  ASSERT_GE(*model.find_joint("spinning"), model.body_count());
  const auto run = Simulation(model, {.integrator = RungeKutta4{0.01}}).run_until(3.0, 3.0);
  EXPECT_NEAR(column(run, "q.spinning").back(), -150.0, 1e-10);
}

// A rotor on two bearings in a row, one of which closes a loop, with an effort about its axis. Both
// angles are read by sensors, "tree" and "cut".
Mechanism rotor_on_bearings(double rate, const TimeFunction& effort = Sine{}) {
  Mechanism mechanism;
  mechanism.gravity.setZero();
  BodyDescription body;
  body.name = "rotor";
  body.mass = 1.0;
  body.inertia.diagonal() << 0.1, 0.1, 0.2;
  mechanism.add(body);
  JointDescription bearing;
  bearing.name = "tree";
  bearing.parent = kGround;
  bearing.child = "rotor";
  bearing.initial_v = Eigen::VectorXd::Constant(1, rate);
  bearing.cut = false;
  mechanism.add(bearing);
  bearing.name = "cut";
  bearing.at_parent.position.z() = bearing.at_child.position.z() = 1.0;
  bearing.initial_v.reset();
  bearing.cut = true;
  mechanism.add(bearing);
  Actuator motor;
  motor.name = "motor";
  motor.joint = "tree";
  motor.effort = effort;
  mechanism.add(motor);
  return mechanism.add(JointSensor{"tree", "tree", {}}).add(JointSensor{"cut", "cut", {}});
}

class LongSteps : public testing::TestWithParam<Method> {};

// Nothing bounds the steps of an even turn: they are many turns long, and so is what lies between
// the samples, most of which are within a step.
TEST_P(LongSteps, CountWholeTurns) {
  for (const double acceleration : {0.0, -30.0}) {
    const Model model(rotor_on_bearings(1000.0, Polynomial{{0.2 * acceleration}}));
    const auto run = Simulation(model, {.integrator = GetParam()}).run_until(10.0, 0.37);
    const auto tree = column(run, "q.tree"), cut = column(run, "q.cut");
    const auto read = column(run, "cut.q");
    EXPECT_NEAR(tree.back(), 1e4 + 50.0 * acceleration, 1e-6 * 1e4);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      EXPECT_NEAR(cut[i], tree[i], 1e-6) << run.samples[i].t << " s, " << acceleration;
      EXPECT_EQ(read[i], cut[i]);
    }
    EXPECT_TRUE(std::ranges::none_of(run.summary.notes, [](const std::string& note) {
      return note.find("half a turn") != std::string::npos;
    }));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, LongSteps,
                         testing::Values(Auto{}, BogackiShampine{}, Adams{}, Bdf{},
                                         RungeKutta4{0.01}, Spark{2, 0.01}));

// Steps whose rates do not tell how far they turn are not passed over in silence.
TEST(OutsideJoints, SayWhereTurnsMayBeLost) {
  const Model model(rotor_on_bearings(0.0, Sine{0.0, 0.2 * 5e4, 25.0, 0.0}));
  const auto run = Simulation(model, {.integrator = RungeKutta4{0.021}}).run_until(1.05, 0.021);
  EXPECT_TRUE(test::has_note(run, "joint cut turned by more than half a turn in a step"));
}

// An event on an angle that has turned several times happens when it crosses, within the step.
TEST(OutsideJoints, CrossTheValuesOfEvents) {
  auto mechanism = rotor_on_bearings(40.0);
  for (const char* name : {"tree", "cut"}) {
    EventDescription event;
    event.name = name;
    event.channel = std::string(name) + ".q";
    event.value = 100.5;
    mechanism.add(event);
  }
  for (const Method& method : {Method(RungeKutta4{0.01}), Method(DormandPrince{1e-9, 1e-9})}) {
    const auto run =
        Simulation(Model(mechanism), {.integrator = method}).run_until(5.0, kEveryStep);
    ASSERT_EQ(run.summary.events.size(), 2U);
    for (const auto& event : run.summary.events) EXPECT_NEAR(event.t, 100.5 / 40.0, 1e-9);
  }
}

// A run that goes on from a checkpoint counts on.
TEST(OutsideJoints, AreCountedOnFromACheckpoint) {
  const auto model = shipped("cardan_shaft", {"joint.output.cut=true"});
  std::optional<Checkpoint> kept;
  Simulation simulation(model, {.integrator = DormandPrince{1e-9, 1e-9}});
  simulation.on_checkpoint(1.0, [&](const Checkpoint& c) {
    if (c.state.t == 2.0) kept = c;
  });
  const auto whole = simulation.run_until(3.0, 1.0);
  ASSERT_TRUE(kept);
  Recording rest;
  Simulation::from_checkpoint(model, *kept).resume(rest);
  EXPECT_EQ(column(rest, "q.output").back(), column(whole, "q.output").back());
  EXPECT_GT(std::abs(column(rest, "q.output").back()), 28.0);
  kept->outside_q.resize(0);
  EXPECT_THROW(Simulation::from_checkpoint(model, *kept), UsageError);
}

}  // namespace
}  // namespace hamiltree
