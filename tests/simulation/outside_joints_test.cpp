// Joints that are not in the state are recorded like those that are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

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
