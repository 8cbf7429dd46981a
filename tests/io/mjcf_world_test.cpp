// MJCF's bodies beyond their joints: copies, weight that is carried, armature against
// the world, loops of joints with armature.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <string>

#include "hamiltree/hamiltree.hpp"
#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::body_of;
using test::force_on;
using test::import_error;
using test::import_text;
using test::joint_of;

TEST(MjcfReplicate, CopiesAreTurnedMovedAndNamed) {
  const auto m =
      import_text(
          "<mujoco><worldbody><replicate count='3' offset='1 0 0' euler='0 0 90' sep='-'>"
          "<body name='b' pos='0 0 2'><joint name='j' axis='1 0 0'/><geom size='0.1'/></body>"
          "</replicate></worldbody><tendon><fixed name='t'><joint joint='j' coef='2'/></fixed>"
          "</tendon><actuator><motor name='m' tendon='t'/></actuator></mujoco>")
          .mechanism;
  EXPECT_EQ(m.bodies.size(), 3U);
  const auto& last = joint_of(m, "j-2");
  EXPECT_EQ(last.child, "b-2");
  // From the first copy one step along x, then one along the turned x, which is y.
  EXPECT_LT((last.at_parent.position - Eigen::Vector3d(1, 1, 2)).norm(), 1e-15);
  EXPECT_LT((last.at_parent.rotation.col(2) + Eigen::Vector3d::UnitX()).norm(), 1e-15);
  EXPECT_EQ(m.forces.size(), 3U);
  EXPECT_EQ(std::get<Servo>(m.forces[2]).joints, std::vector<std::string>{"j-2"});
}

TEST(MjcfReplicate, WithinEachOtherAndRefused) {
  const std::string inner =
      "<replicate count='2'><body name='b'><freejoint/><geom size='0.1'/></body></replicate>";
  const auto m = import_text("<mujoco><worldbody><replicate count='10' sep='_'>" + inner +
                             "</replicate></worldbody></mujoco>")
                     .mechanism;
  EXPECT_EQ(m.bodies.size(), 20U);
  EXPECT_NO_THROW(body_of(m, "b1_09"));
  EXPECT_EQ(import_error("<mujoco><worldbody><replicate count='0'/></worldbody></mujoco>"),
            "m.xml:1: <replicate>: count must be a whole number above 0");
}

TEST(MjcfWorld, GravityIsCarried) {
  const auto imported = import_text(
      "<mujoco><worldbody><body name='b' gravcomp='1'><freejoint/><geom size='0.1' pos='1 0 0'/>"
      "</body></worldbody></mujoco>");
  const auto run = Simulation(Model(imported.mechanism)).run_until(1.0, 1.0);
  EXPECT_LT(run.samples.back().v.norm(), 1e-12);
  EXPECT_EQ(imported.log.lines().back(),
            "forces carry the weight of 1 body (gravcomp); they stay as they are where gravity is "
            "changed");
}

// Falls as fast as without armature, but with the weight of one and the inertia of both.
TEST(MjcfWorld, ArmatureOfAFreeJointIsInertiaWithoutWeight) {
  const auto m = import_text(
                     "<mujoco><option gravity='0 0 -10'/><worldbody><body name='b'>"
                     "<joint type='free' armature='3'/><inertial pos='0 0 0' mass='2' "
                     "diaginertia='1 1 1'/></body></worldbody></mujoco>")
                     .mechanism;
  EXPECT_EQ(body_of(m, "b").mass, 5.0);
  EXPECT_EQ(body_of(m, "b").inertia(1, 1), 4.0);
  const auto run = Simulation(Model(m)).run_until(1.0, 1.0);
  EXPECT_NEAR(run.samples.back().v(2), -10.0 * 2.0 / 5.0, 1e-9);
}

// The box of the inertia, by its edges: 0.2, 0.4 and 0.6 m.
TEST(MjcfMedium, IsDragOfABox) {
  const auto read = [](const std::string& option, const std::string& geom = "") {
    return "<mujoco><option " + option +
           "/><worldbody><body name='b'><freejoint/><geom type='box' size='0.1 0.2 0.3' "
           "pos='0 0 1' " +
           geom + "/></body></worldbody></mujoco>";
  };
  const auto water = import_text(read("density='900' viscosity='0.5' wind='1 0 0'"));
  EXPECT_TRUE(water.log.lines().empty());
  ASSERT_EQ(water.mechanism.forces.size(), 1U);
  const auto& drag = std::get<Drag>(water.mechanism.forces[0]);
  EXPECT_EQ(drag.name, "b_drag");
  EXPECT_EQ(drag.at.position, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(drag.medium_velocity, Eigen::Vector3d(1, 0, 0));
  EXPECT_NEAR(drag.translational_drag.x(), 450.0 * 0.4 * 0.6, 1e-12);
  EXPECT_NEAR(drag.rotational_drag.z(), 900.0 / 64 * 0.6 * (0.0016 + 0.0256), 1e-12);
  EXPECT_NEAR(drag.translational_damping.y(), 3 * std::numbers::pi * 0.5 * 0.4, 1e-14);
  EXPECT_NEAR(drag.rotational_damping.y(), std::numbers::pi * 0.5 * 0.064, 1e-14);
  EXPECT_TRUE(import_text(read("")).mechanism.forces.empty());
  const auto fish = import_text(read("density='900'", "fluidshape='ellipsoid'"));
  EXPECT_TRUE(fish.mechanism.forces.empty());
  EXPECT_EQ(fish.log.lines().back(),
            "warning: m.xml:1: the drag of body \"b\" is not simulated: of fluidshapes, \"none\" "
            "alone is, the box of the inertia");
  EXPECT_EQ(import_error(read("density='-1'")), "m.xml:1: <option>: density must not be negative");
}

// Found from the inertia, they are those of the box again, in any order and to a sign.
TEST(MjcfMedium, PrincipalAxesAreAFrame) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(0.48, -0.6, 0.64)).toRotationMatrix();
  for (int flip = 0; flip < 4; ++flip) {
    const Eigen::Matrix3d J =
        R * Eigen::Vector3d(0.003 + 0.0015 * flip, 0.004, 0.005).asDiagonal() * R.transpose();
    std::string full;
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}})
      full += std::to_string(J(i, j)) + " ";
    const auto m = import_text(
                       "<mujoco><option density='1000'/><worldbody><body><freejoint/>"
                       "<inertial pos='0 0 0' mass='0.5' fullinertia='" +
                       full + "'/></body></worldbody></mujoco>")
                       .mechanism;
    const Eigen::Matrix3d& axes = std::get<Drag>(m.forces.at(0)).at.rotation;
    EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
    const Eigen::Matrix3d seen = axes.transpose() * J * axes;
    EXPECT_LT((seen - Eigen::Matrix3d(seen.diagonal().asDiagonal())).norm(), 1e-5) << flip;
  }
}

// Degrees unless said otherwise, as of hinges.
TEST(MjcfWorld, BallsHaveRangesAndFriction) {
  const auto read = [](const std::string& attributes) {
    return "<mujoco><worldbody><body name='b'><joint name='j' " + attributes +
           "/><geom size='0.1' pos='1 0 0'/></body></worldbody></mujoco>";
  };
  const auto m = import_text(read("type='ball' range='0 45' frictionloss='0.3'"));
  EXPECT_TRUE(m.log.lines().empty());
  ASSERT_EQ(m.mechanism.forces.size(), 2U);
  const auto& limits = std::get<JointLimits>(m.mechanism.forces[0]);
  EXPECT_FALSE(limits.lower);
  EXPECT_DOUBLE_EQ(limits.upper.value(), std::numbers::pi / 4);
  EXPECT_GT(limits.stiffness, 0.0);
  EXPECT_EQ(std::get<JointFriction>(m.mechanism.forces[1]).coulomb, 0.3);
  EXPECT_TRUE(import_text(read("type='ball' range='0 180'")).mechanism.forces.empty());
  EXPECT_EQ(import_error(read("type='ball' range='-10 10'")),
            "m.xml:1: <joint name=\"j\">: the range of a ball joint must begin with 0");
  const auto floating = import_text(read("type='free' frictionloss='0.3' range='0 1'")).mechanism;
  ASSERT_EQ(floating.forces.size(), 1U);
  EXPECT_EQ(std::get<JointFriction>(floating.forces[0]).coulomb, 0.3);
}

// Between bodies it turns with one of them only.
TEST(MjcfWorld, ArmatureOfABallBetweenBodiesIsTheJoints) {
  const std::string ball = "<joint name='ball' type='ball' armature='3'/>";
  const auto m = import_text(
                     "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='0.1'/>"
                     "<body name='tip' pos='1 0 0'>" +
                     ball + "<geom size='0.1' pos='1 0 0'/></body></body></worldbody></mujoco>")
                     .mechanism;
  EXPECT_EQ(joint_of(m, "ball").armature, 3.0);
  EXPECT_LT(body_of(m, "tip").inertia(1, 1), 3.0);
}

TEST(MjcfWorld, LoopsInWhichEveryJointHasArmatureAreClosedByAWeld) {
  const auto m = import_text(
                     "<mujoco><option gravity='3 0 -9'/><worldbody><body name='a'>"
                     "<joint name='A' axis='0 1 0' armature='1'/>"
                     "<geom type='capsule' size='0.05' fromto='0 0 0 0 0 1'/><body name='b' "
                     "pos='0 0 1'><joint name='B' axis='0 1 0' armature='1'/><geom type='capsule' "
                     "size='0.05' fromto='0 0 0 1 0 0'/><body name='c' pos='1 0 0'><joint name='C' "
                     "axis='0 1 0' armature='1'/><geom type='capsule' size='0.05' "
                     "fromto='0 0 0 0 0 -1'/><body name='d' pos='0 0 -1'><joint name='D' "
                     "axis='0 1 0' armature='1'/><geom size='0.05'/></body></body></body></body>"
                     "</worldbody><equality><weld body1='d'/></equality></mujoco>")
                     .mechanism;
  const Model model(m);
  EXPECT_EQ(model.loop_count(), 1);
  const auto run = Simulation(model).run_until(0.5, 0.5);
  // A parallelogram: what stands turns alike, by a pendulum's amount and not at all in sum.
  const auto& v = run.samples.back().v;
  EXPECT_GT(v.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_LT(run.summary.constraint.position_max, 1e-9);
}

}  // namespace
}  // namespace hamiltree
