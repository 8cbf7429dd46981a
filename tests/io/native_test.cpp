// The native format: what every key means, and one test for each way a file can be wrong.
#include "hamiltree/io/import/native.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/controller/controller_file.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/load.hpp"
#include "io/native_text.hpp"

namespace hamiltree {
namespace {

using namespace test;

// ---- What a file may say

TEST(Native, ReadsTheHead) {
  const Mechanism m = parse("name = \"crane\"\n" + kPlanar);
  EXPECT_EQ(m.name, "crane");
  EXPECT_EQ(m.space, SpaceKind::kPlanar);
  EXPECT_EQ(m.gravity, Eigen::Vector3d(0.0, -9.81, 0.0));
  EXPECT_EQ(m.where.file, "m.toml");
  EXPECT_EQ(parse(kSpatial).space, SpaceKind::kSpatial);
  EXPECT_EQ(parse(kSpatial).gravity, Eigen::Vector3d(0.0, 0.0, -9.81));
}

TEST(Native, NameIsTheStemOfTheFileByDefault) {
  EXPECT_EQ(parse_native(kPlanar, "folder/four_bar.toml").name, "four_bar");
}

TEST(Native, ReadsAPlanarBody) {
  const Mechanism m = parse(kPlanar + kBody + "com = [0.1, -0.2]\n");
  ASSERT_EQ(m.bodies.size(), 1u);
  const BodyDescription& body = m.bodies[0];
  EXPECT_EQ(body.name, "b");
  EXPECT_EQ(body.mass, 2.0);
  EXPECT_EQ(body.com, Eigen::Vector3d(0.1, -0.2, 0.0));
  EXPECT_EQ(body.inertia, Eigen::Matrix3d(Eigen::Vector3d(0.0, 0.0, 0.5).asDiagonal()));
  EXPECT_EQ(body.where.file, "m.toml");
  EXPECT_EQ(body.where.line, 4);
  EXPECT_EQ(parse(kPlanar + kBody).bodies[0].com, Eigen::Vector3d::Zero());
}

TEST(Native, ReadsASpatialBody) {
  const std::string body = "[[body]]\nname = \"b\"\nmass = 2\n";
  const Mechanism m =
      parse(kSpatial + body + "inertia = [1, 2, 3, 0.1, 0.2, 0.3]\ncom = [1, 2, 3]\n");
  Eigen::Matrix3d J;
  J << 1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 3.0;
  EXPECT_EQ(m.bodies[0].inertia, J);
  EXPECT_EQ(m.bodies[0].com, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(parse(kSpatial + body + "inertia = [1, 2, 3]\n").bodies[0].inertia,
            Eigen::Matrix3d(Eigen::Vector3d(1.0, 2.0, 3.0).asDiagonal()));
}

TEST(Native, ReadsAPlanarJoint) {
  const Mechanism m = parse(kPlanar + kBody + kJoint +
                            "at_parent = { position = [0.4, 0.1], angle = 0.5 }\n"
                            "initial = { q = 0.25, v = [-1] }\n");
  ASSERT_EQ(m.joints.size(), 1u);
  const JointDescription& joint = m.joints[0];
  EXPECT_EQ(joint.name, "A");
  EXPECT_EQ(joint.type, JointType::kRevolute);
  EXPECT_EQ(joint.parent, "ground");
  EXPECT_EQ(joint.child, "b");
  EXPECT_EQ(joint.at_parent.position, Eigen::Vector3d(0.4, 0.1, 0.0));
  EXPECT_EQ(joint.at_parent.rotation(0, 0), std::cos(0.5));
  EXPECT_EQ(joint.at_parent.rotation(1, 0), std::sin(0.5));
  EXPECT_EQ(joint.at_parent.rotation(0, 1), -std::sin(0.5));
  EXPECT_EQ(joint.at_parent.rotation(2, 2), 1.0);
  EXPECT_EQ(joint.at_child.position, Eigen::Vector3d::Zero());
  EXPECT_EQ(joint.at_child.rotation, Eigen::Matrix3d::Identity());
  EXPECT_EQ((*joint.initial_q)(0), 0.25);
  EXPECT_EQ((*joint.initial_v)(0), -1.0);
  EXPECT_FALSE(joint.guess_q);
  EXPECT_EQ(joint.where.line, 8);
}

TEST(Native, ReadsEveryJointType) {
  EXPECT_EQ(parse(kPlanar + kPrismatic).joints[0].type, JointType::kPrismatic);
  EXPECT_EQ(parse(kPlanar + kFixed).joints[0].type, JointType::kFixed);
  EXPECT_EQ(parse(kPlanar + kFree).joints[0].type, JointType::kFree);
}

TEST(Native, ReadsSpatialRotations) {
  const Mechanism m = parse(kSpatial + kJoint +
                            "at_parent = { axis_angle = [0, 0, 2, 0.5] }\n"
                            "at_child = { quat_wxyz = [0.0, 1.0, 0.0, 0.0] }\n");
  const Eigen::Matrix3d turned(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()));
  EXPECT_TRUE(m.joints[0].at_parent.rotation.isApprox(turned, 1e-15));
  EXPECT_EQ(m.joints[0].at_child.rotation,
            Eigen::Matrix3d(Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal()));
}

TEST(Native, MakesQuaternionsExactlyUnit) {
  const Mechanism m =
      parse(kSpatial + kJoint + "at_parent = { quat_wxyz = [0.8000004, 0.6, 0.0, 0.0] }\n");
  const Eigen::Matrix3d& R = m.joints[0].at_parent.rotation;
  EXPECT_TRUE((R.transpose() * R).isApprox(Eigen::Matrix3d::Identity(), 1e-15));
}

TEST(Native, ReadsGuessAndFreeCoordinates) {
  const Mechanism planar = parse(kPlanar + kFree + "guess = { q = [1, 2, 3] }\n");
  EXPECT_EQ(*planar.joints[0].guess_q, Eigen::VectorXd(Eigen::Vector3d(1.0, 2.0, 3.0)));
  const Mechanism spatial = parse(
      kSpatial + kFree + "initial = { q = [1, 2, 3, 0.6, 0, 0.8, 0], v = [1, 2, 3, 4, 5, 6] }\n");
  Eigen::VectorXd q(7);
  q << 1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0;
  EXPECT_TRUE(spatial.joints[0].initial_q->isApprox(q, 1e-15));
  EXPECT_EQ(spatial.joints[0].initial_v->size(), 6);
}

TEST(Native, SpringAndDamperOfAJointAreOneForce) {
  const Mechanism m = parse(kPlanar + kJoint +
                            "spring = { stiffness = 3, rest = 0.1 }\ndamper = { damping = 0.2 }\n");
  ASSERT_EQ(m.forces.size(), 1u);
  const auto& force = std::get<JointSpringDamper>(m.forces[0]);
  EXPECT_EQ(force.joint, "A");
  EXPECT_EQ(force.stiffness, 3.0);
  EXPECT_EQ(force.rest, 0.1);
  EXPECT_EQ(force.damping, 0.2);
  EXPECT_EQ(force.where.line, 9);
  const Mechanism damped = parse(kPlanar + kJoint + "damper = { damping = 0.2 }\n");
  EXPECT_EQ(std::get<JointSpringDamper>(damped.forces[0]).stiffness, 0.0);
  EXPECT_EQ(std::get<JointSpringDamper>(damped.forces[0]).damping, 0.2);
}

TEST(Native, ReadsAndWritesRopes) {
  const std::string points =
      "points = [{ body = \"ground\", position = [1, 2], ratio = 0.5 }, { body = \"b\" }, "
      "{ body = \"ground\", position = [3, 4] }]\n";
  const auto once = parse(kPlanar + "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\n" + points +
                          "stiffness = 5\nrest_length = 6\nslack = 2\n"
                          "[[force]]\nname = \"m\"\ntype = \"servo\"\n" +
                          points + "effort = -2\n");
  for (const auto& m : {once, parse(to_native(once))}) {
    const auto& spring = std::get<PointSpringDamper>(m.forces.at(0));
    const auto& servo = std::get<Servo>(m.forces.at(1));
    EXPECT_EQ(spring.slack, 2.0);
    EXPECT_TRUE(servo.joints.empty());
    for (const auto* rope : {&spring.points, &servo.points}) {
      ASSERT_EQ(rope->size(), 3U);
      EXPECT_EQ((*rope)[0].ratio, 0.5);
      EXPECT_EQ((*rope)[1].body, "b");
      EXPECT_EQ((*rope)[1].position, Eigen::Vector3d::Zero());
      EXPECT_EQ((*rope)[2].position, Eigen::Vector3d(3.0, 4.0, 0.0));
      EXPECT_EQ((*rope)[2].ratio, 1.0);
    }
  }
  const auto error = [](const std::string& line) {
    try {
      parse(kPlanar + "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\n" + line);
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string("no ModelError");
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(error("points = 3\n"), "points must be an array of tables, not");
  has(error("points = [1]\n"), "points must be an array of tables, not");
  has(error("points = [{ body = \"b\", way = 1 }]\n"), "unknown key \"points[1].way\"");
  has(error("points = [{ body = \"b\" }]\nbody_a = \"b\"\n"),
      "\"points\" and \"body_a\" exclude each other");
}

TEST(Native, ForcesThatSayNothingOfTheirEffortAreRefused) {
  const std::string joint = kPlanar + kBody + kJoint;
  EXPECT_EQ(model_error(joint + "friction = {}\n"),
            "m.toml:13: joint \"A\": friction needs coulomb, viscous or both");
  EXPECT_EQ(model_error(joint + "friction = { velocity_scale = 0.1 }\n"),
            "m.toml:13: joint \"A\": friction needs coulomb, viscous or both");
  EXPECT_EQ(model_error(joint + "[[force]]\nname = \"s\"\ntype = \"servo\"\njoint = \"A\"\n"
                                "joints = [\"A\"]\n"),
            "m.toml:17: force \"s\": \"joint\" and \"joints\" exclude each other");
  const std::string motor = joint + "[[force]]\nname = \"m\"\ntype = \"actuator\"\njoint = \"A\"\n";
  const std::string refused =
      "m.toml:13: force \"m\": effort is missing, and so are constant and amplitude";
  EXPECT_EQ(model_error(motor), refused);
  EXPECT_EQ(model_error(motor + "frequency = 2\n"), refused);
  EXPECT_EQ(model_error(motor + "effort = 1\nfrequency = 2\n"),
            "m.toml:18: force \"m\": \"effort\" and \"frequency\" exclude each other");
  // A number of 0 is said.
  for (const auto& said :
       {joint + "friction = { coulomb = 0 }\n", joint + "friction = { viscous = 0 }\n",
        motor + "effort = 0\n", motor + "constant = 0\n", motor + "amplitude = 1\nfrequency = 2\n"})
    EXPECT_EQ(model_error(said), "no ModelError") << said;
}

TEST(Native, PolynomialsOfCouplingsThatAreConstantAreRefused) {
  const std::string coupling =
      kPlanar + "[[coupling]]\nname = \"c\"\njoint = \"A\"\nto = \"B\"\npolynomial = ";
  for (const std::string numbers : {"[0, 0, 0]", "[1, 0]"}) {
    EXPECT_EQ(model_error(coupling + numbers + "\n"),
              "m.toml:8: coupling \"c\": a number of polynomial behind the first must not be 0");
  }
  EXPECT_EQ(model_error(coupling + "[0, 0, 1]\n"), "no ModelError");
}

TEST(Native, ReadsAndWritesControllers) {
  const auto once = parse(kPlanar +
                          "[[controller]]\nname = \"c\"\nfile = \"laws/pid.fmu\"\nperiod = 0.02\n"
                          "inputs = [\"q.A\", \"v.B\"]\njoints = [\"A\", \"B\"]\ntimeout = 3\n"
                          "variables = { \"v.B\" = \"speed\", A = \"torque\" }\n");
  const auto elsewhere = to_native(once, {}, "converted");
  EXPECT_NE(elsewhere.find("file = \"../laws/pid.fmu\""), std::string::npos) << elsewhere;
  for (const auto& m : {once, parse(to_native(once)), parse(elsewhere)}) {
    const auto& controller = std::get<Controller>(m.forces.at(0));
    EXPECT_EQ(controller.name, "c");
    EXPECT_EQ(controller.joints, (std::vector<std::string>{"A", "B"}));
    const auto& said =
        dynamic_cast<const ControllerFile&>(*controller.law.target<HeldEfforts>()->controller);
    EXPECT_EQ(said.file.filename(), "pid.fmu");
    EXPECT_EQ(said.period, 0.02);
    EXPECT_EQ(said.timeout, 3.0);
    EXPECT_EQ(said.outputs, (std::vector<std::string>{"torque", "B"}));
    ASSERT_EQ(said.inputs.size(), 2U);
    EXPECT_EQ(said.inputs[0].joint + said.inputs[1].joint, "AB");
    EXPECT_TRUE(!said.inputs[0].is_rate && said.inputs[1].is_rate);
    EXPECT_EQ(said.inputs[0].variable, "q.A");
    EXPECT_EQ(said.inputs[1].variable, "speed");
  }
}

TEST(Native, ReadsForces) {
  const Mechanism m =
      parse(kPlanar +
            "[[force]]\nname = \"s\"\ntype = \"spring_damper\"\nbody_a = \"ground\"\n"
            "body_b = \"b\"\npoint_a = [1, 2]\npoint_b = [3, 4]\nstiffness = 5\n"
            "rest_length = 6\ndamping = 7\n"
            "[[force]]\nname = \"m\"\ntype = \"actuator\"\njoint = \"A\"\n"
            "constant = 1\namplitude = 2\nfrequency = 3\nphase = 4\n");
  ASSERT_EQ(m.forces.size(), 2u);
  const auto& spring = std::get<PointSpringDamper>(m.forces[0]);
  EXPECT_EQ(spring.name, "s");
  ASSERT_EQ(spring.points.size(), 2u);
  EXPECT_EQ(spring.points[0].body, "ground");
  EXPECT_EQ(spring.points[1].body, "b");
  EXPECT_EQ(spring.points[0].position, Eigen::Vector3d(1.0, 2.0, 0.0));
  EXPECT_EQ(spring.points[1].position, Eigen::Vector3d(3.0, 4.0, 0.0));
  EXPECT_EQ(spring.stiffness, 5.0);
  EXPECT_EQ(spring.rest_length, 6.0);
  EXPECT_EQ(spring.damping, 7.0);
  EXPECT_EQ(spring.where.line, 4);
  const auto& motor = std::get<Actuator>(m.forces[1]);
  EXPECT_EQ(motor.name, "m");
  EXPECT_EQ(motor.joint, "A");
  const auto& effort = std::get<Sine>(motor.effort);
  EXPECT_EQ(effort.constant, 1.0);
  EXPECT_EQ(effort.amplitude, 2.0);
  EXPECT_EQ(effort.frequency, 3.0);
  EXPECT_EQ(effort.phase, 4.0);
  EXPECT_EQ(motor.where.line, 14);
}

TEST(Native, ReadsAnActuatorGivenInTime) {
  const std::string motor = "[[force]]\nname = \"m\"\ntype = \"actuator\"\njoint = \"A\"\n";
  const auto effort = [&](const std::string& keys) {
    return std::get<Actuator>(parse(kPlanar + motor + keys).forces[0]).effort;
  };
  EXPECT_EQ(std::get<Polynomial>(effort("effort = 3\n")).coefficients, std::vector<double>{3.0});
  const auto step = effort("effort = { type = \"smooth_step\", to = 2, duration = 0.5 }\n");
  EXPECT_EQ(std::get<SmoothStep>(step).to, 2.0);
  EXPECT_NE(model_error(kPlanar + motor + "effort = 3\namplitude = 1\n")
                .find("\"effort\" and \"amplitude\" exclude each other"),
            std::string::npos);
}

TEST(Native, ReadsBushings) {
  const std::string bushing =
      "[[force]]\nname = \"s\"\ntype = \"bushing\"\nbody_a = \"ground\"\nbody_b = \"b\"\n";
  const auto read = [&](const std::string& text) {
    return std::get<Bushing>(parse(text).forces[0]);
  };
  const auto spatial = read(kSpatial + bushing +
                            "at_a = { position = [1, 2, 3] }\ntranslational_stiffness = 4\n"
                            "rotational_stiffness = [5, 6, 7]\ntranslational_damping = [1, 2, 3]\n"
                            "rotational_damping = 8\n");
  EXPECT_EQ(spatial.name, "s");
  EXPECT_EQ(spatial.body_a, "ground");
  EXPECT_EQ(spatial.body_b, "b");
  EXPECT_EQ(spatial.at_a.position, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(spatial.translational_stiffness, Eigen::Vector3d(4.0, 4.0, 4.0));
  EXPECT_EQ(spatial.rotational_stiffness, Eigen::Vector3d(5.0, 6.0, 7.0));
  EXPECT_EQ(spatial.translational_damping, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(spatial.rotational_damping, Eigen::Vector3d(8.0, 8.0, 8.0));
  const auto planar = read(kPlanar + bushing +
                           "at_b = { angle = 0.5 }\ntranslational_stiffness = [4, 3]\n"
                           "rotational_stiffness = 5\n");
  EXPECT_EQ(planar.translational_stiffness, Eigen::Vector3d(4.0, 3.0, 0.0));
  EXPECT_EQ(planar.rotational_stiffness, Eigen::Vector3d(0.0, 0.0, 5.0));
  EXPECT_EQ(planar.rotational_damping, Eigen::Vector3d(0.0, 0.0, 0.0));
  EXPECT_NEAR(planar.at_b.rotation(1, 0), std::sin(0.5), 1e-15);
}

TEST(Native, ReadsWrenches) {
  const std::string wrench = "[[force]]\nname = \"w\"\ntype = \"wrench\"\nbody = \"b\"\n";
  const Mechanism m =
      parse(kSpatial + wrench +
            "position = [1, 2, 3]\naxes = \"body\"\n"
            "force = { x = 4, z = { type = \"sine\", amplitude = 5 } }\nmoment = { y = 6 }\n");
  const auto& force = std::get<AppliedWrench>(m.forces[0]);
  EXPECT_EQ(force.body, "b");
  EXPECT_EQ(force.position, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(force.axes, AppliedWrench::Axes::kBody);
  EXPECT_EQ(std::get<Polynomial>(*force.force.x).coefficients, std::vector<double>{4.0});
  EXPECT_FALSE(force.force.y);
  EXPECT_EQ(std::get<Sine>(*force.force.z).amplitude, 5.0);
  EXPECT_EQ(std::get<Polynomial>(*force.moment.y).coefficients, std::vector<double>{6.0});
  EXPECT_NE(model_error(kSpatial + wrench + "axes = \"joint\"\n").find("world, body"),
            std::string::npos);
}

TEST(Native, ReadsLimitsAndFriction) {
  const Mechanism m = parse(kPlanar + kJoint +
                            "limits = { lower = -1, upper = 2, stiffness = 3, damping = 4, "
                            "transition = 0.5 }\n"
                            "friction = { coulomb = 5, viscous = 6, velocity_scale = 7 }\n");
  ASSERT_EQ(m.forces.size(), 2u);
  const auto& limits = std::get<JointLimits>(m.forces[0]);
  EXPECT_EQ(limits.joint, "A");
  EXPECT_EQ(limits.lower, -1.0);
  EXPECT_EQ(limits.upper, 2.0);
  EXPECT_EQ(limits.stiffness, 3.0);
  EXPECT_EQ(limits.damping, 4.0);
  EXPECT_EQ(limits.transition, 0.5);
  const auto& friction = std::get<JointFriction>(m.forces[1]);
  EXPECT_EQ(friction.joint, "A");
  EXPECT_EQ(friction.coulomb, 5.0);
  EXPECT_EQ(friction.viscous, 6.0);
  EXPECT_EQ(friction.velocity_scale, 7.0);
}

TEST(Native, ReadsSensors) {
  const Mechanism m = parse(kSpatial +
                            "[[sensor]]\nname = \"s1\"\ntype = \"body\"\nbody = \"b\"\n"
                            "[[sensor]]\nname = \"s2\"\ntype = \"point\"\nbody = \"b\"\n"
                            "position = [1, 2, 3]\n"
                            "[[sensor]]\nname = \"s3\"\ntype = \"joint\"\njoint = \"A\"\n"
                            "[[sensor]]\nname = \"s4\"\ntype = \"energy\"\n");
  ASSERT_EQ(m.sensors.size(), 4u);
  EXPECT_EQ(std::get<BodySensor>(m.sensors[0]).name, "s1");
  EXPECT_EQ(std::get<BodySensor>(m.sensors[0]).body, "b");
  EXPECT_EQ(std::get<PointSensor>(m.sensors[1]).body, "b");
  EXPECT_EQ(std::get<PointSensor>(m.sensors[1]).position, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(std::get<JointSensor>(m.sensors[2]).joint, "A");
  EXPECT_EQ(std::get<EnergySensor>(m.sensors[3]).name, "s4");
  EXPECT_EQ(std::get<EnergySensor>(m.sensors[3]).where.line, 17);
}

// ---- axis

TEST(NativeAxis, TurnsBothFramesOfASpatialJoint) {
  const std::string frames =
      "at_parent = { axis_angle = [1, 2, 3, 0.7] }\nat_child = { axis_angle = [0, 1, 0, -0.4] }\n";
  const JointDescription plain = parse(kSpatial + kJoint + frames).joints[0];
  const JointDescription turned =
      parse(kSpatial + kJoint + frames + "axis = [2, -1, 2]\n").joints[0];
  const Eigen::Vector3d n = Eigen::Vector3d(2.0, -1.0, 2.0) / 3.0;
  const Eigen::Matrix3d R = plain.at_parent.rotation.transpose() * turned.at_parent.rotation;
  EXPECT_TRUE((R * Eigen::Vector3d::UnitZ()).isApprox(n, 1e-15));
  EXPECT_TRUE((plain.at_child.rotation * R).isApprox(turned.at_child.rotation, 1e-15));
  // The smallest rotation: about z x n, by the angle between them.
  EXPECT_NEAR(Eigen::AngleAxisd(R).angle(), std::acos(n.z()), 1e-14);
  EXPECT_TRUE(
      R.isApprox(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), n).matrix(), 1e-14));
}

TEST(NativeAxis, HoldsForEveryDirection) {
  for (const char* axis : {"[0, 0, 1]", "[0, 0, -1]", "[1e-9, 0, -1]", "[0, -1e-5, -1]",
                           "[1e-300, 0, 0]", "[-3, 1, -2]"}) {
    const Mechanism m = parse(kSpatial + kJoint + "axis = " + axis + "\n");
    const Eigen::Matrix3d& R = m.joints[0].at_parent.rotation;
    EXPECT_TRUE((R.transpose() * R).isApprox(Eigen::Matrix3d::Identity(), 1e-15)) << axis;
    EXPECT_NEAR(R.determinant(), 1.0, 1e-15) << axis;
  }
  const Mechanism along = parse(kSpatial + kJoint + "axis = [0, 0, 5]\n");
  EXPECT_EQ(along.joints[0].at_parent.rotation, Eigen::Matrix3d::Identity());
  const Mechanism against = parse(kSpatial + kJoint + "axis = [0, 0, -5]\n");
  EXPECT_EQ(against.joints[0].at_parent.rotation.col(2), Eigen::Vector3d(0.0, 0.0, -1.0));
  const Mechanism nearly = parse(kSpatial + kJoint + "axis = [1e-9, 0, -1]\n");
  EXPECT_EQ(nearly.joints[0].at_parent.rotation.col(2), Eigen::Vector3d(1e-9, 0.0, -1.0));
}

TEST(NativeAxis, TurnsXOfAPlanarPrismaticJoint) {
  const Mechanism m =
      parse(kPlanar + kPrismatic + "at_parent = { angle = 0.3 }\naxis = [0.0, 2.0]\n");
  const auto turned = [](double angle) {
    return Eigen::Matrix3d(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
  };
  EXPECT_TRUE(m.joints[0].at_parent.rotation.isApprox(turned(0.3 + std::numbers::pi / 2), 1e-15));
  EXPECT_TRUE(m.joints[0].at_child.rotation.isApprox(turned(std::numbers::pi / 2), 1e-15));
}

TEST(NativeAxis, IsRefusedWhereThereIsNone) {
  EXPECT_EQ(model_error(kPlanar + kJoint + "axis = [1.0, 0.0]\n"),
            "m.toml:9: joint \"A\": a revolute joint in the plane has no axis");
  EXPECT_EQ(model_error(kSpatial + kFree + "axis = [1.0, 0.0, 0.0]\n"),
            "m.toml:9: joint \"A\": a free joint has no axis");
}

TEST(NativeAxis, IsNotZero) {
  EXPECT_EQ(model_error(kSpatial + kJoint + "axis = [0, 0.0, 0]\n"),
            "m.toml:9: joint \"A\": axis has no direction, it is zero");
  EXPECT_EQ(model_error(kSpatial + kJoint + "at_child = { axis_angle = [0, 0, 0, 1] }\n"),
            "m.toml:9: joint \"A\": at_child.axis_angle has no direction, it is zero");
}

// ---- repeat

TEST(NativeRepeat, FillsPlacesFromOneToN) {
  const Mechanism m = parse(kPlanar +
                            "[[body]]\nname = \"link_{i}\"\nrepeat = 3\nmass = 1\ninertia = 1\n"
                            "[[joint]]\nname = \"pin_{i+1}\"\nrepeat = 2\ntype = \"revolute\"\n"
                            "parent = \"link_{i}\"\nchild = \"link_{i+1}\"\n"
                            "damper = { damping = 1 }\n"
                            "[[sensor]]\nname = \"s{i}{i-1}\"\nrepeat = 2\ntype = \"body\"\n"
                            "body = \"link_{i}\"\n");
  ASSERT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.bodies[0].name, "link_1");
  EXPECT_EQ(m.bodies[2].name, "link_3");
  ASSERT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.joints[1].name, "pin_3");
  EXPECT_EQ(m.joints[1].parent, "link_2");
  EXPECT_EQ(m.joints[1].child, "link_3");
  ASSERT_EQ(m.forces.size(), 2u);
  EXPECT_EQ(std::get<JointSpringDamper>(m.forces[1]).joint, "pin_3");
  ASSERT_EQ(m.sensors.size(), 2u);
  EXPECT_EQ(std::get<BodySensor>(m.sensors[1]).name, "s21");
}

TEST(NativeRepeat, RepeatsForces) {
  const Mechanism m = parse(kPlanar +
                            "[[force]]\nname = \"m_{i}\"\nrepeat = 4\ntype = \"actuator\"\n"
                            "joint = \"pin_{i-1}\"\neffort = 1\n");
  ASSERT_EQ(m.forces.size(), 4u);
  EXPECT_EQ(std::get<Actuator>(m.forces[3]).joint, "pin_3");
}

TEST(NativeRepeat, ManyCopiesAreQuick) {
  const Mechanism m = parse(kPlanar +
                            "[[body]]\nname = \"b{i}\"\nrepeat = 100_000\nmass = 1\n"
                            "inertia = 1\n");
  ASSERT_EQ(m.bodies.size(), 100000u);
  EXPECT_EQ(m.bodies.back().name, "b100000");
}

TEST(NativeRepeat, CountIsAWholeNumberAboveZero) {
  const std::string body = "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 1\nrepeat = ";
  EXPECT_EQ(model_error(kPlanar + body + "0\n"),
            "m.toml:8: body number 1: repeat is 0, it must be 1 or more");
  EXPECT_EQ(model_error(kPlanar + body + "2.5\n"),
            "m.toml:8: body number 1: repeat must be a whole number, not a number");
}

TEST(NativeRepeat, RefusesWhatIsNoPlace) {
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"b{j}\"\nrepeat = 2\nmass = 1\ninertia = 1\n"),
            "m.toml:5: body number 1: name: \"{j}\" is none of {i}, {i+K}, {i-K} with a whole "
            "number K");
  for (const char* name : {"b{i", "b{}", "b{i+}", "b{i--1}", "b{i+1.5}", "b{i*2}"}) {
    EXPECT_NE(model_error(kPlanar + "[[body]]\nrepeat = 2\nname = \"" + name + "\"\n"),
              "no ModelError")
        << name;
  }
}

TEST(NativeRepeat, PlacesNeedRepeat) {
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 1\n"),
            "m.toml:5: body number 1: name \"b{i}\" needs repeat = N");
}

// ---- What a file must not say

TEST(NativeError, FileNotFound) {
  try {
    load("no/such/model.toml");
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "no/such/model.toml: file not found");
  }
}

TEST(NativeError, FileIsAFolder) {
  try {
    load(HAMILTREE_MECHANISMS);
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.what(), std::string(HAMILTREE_MECHANISMS) + ": is a folder, not a file");
  }
}

TEST(NativeError, Syntax) {
  EXPECT_EQ(model_error(kPlanar + "name = [1,\n"),
            "m.toml:4: syntax error while parsing array: encountered end-of-file");
  EXPECT_EQ(model_error(kPlanar + "\nspace = \"planar\"\n").rfind("m.toml:5: syntax error", 0), 0u);
  EXPECT_EQ(model_error("format = 1\nname = \"\xff\"\n").rfind("m.toml:2: syntax error", 0), 0u);
}

TEST(NativeError, FormatFromTheFuture) {
  EXPECT_EQ(model_error("format = 2\nspace = \"planar\"\ngravity = [0, 0]\n"),
            "m.toml:1: format 2 is newer than this program reads (1)");
  EXPECT_EQ(model_error("\nformat = 0\n"),
            "m.toml:2: format 0 is none that this program reads (1)");
  EXPECT_EQ(model_error("format = \"1\"\n"),
            "m.toml:1: format must be a whole number, not a string");
}

TEST(NativeError, MissingKeys) {
  EXPECT_EQ(model_error(""), "m.toml:1: format is missing");
  EXPECT_EQ(model_error("format = 1\ngravity = [0, 0]\n"), "m.toml:1: space is missing");
  EXPECT_EQ(model_error("format = 1\nspace = \"planar\"\n"), "m.toml:1: gravity is missing");
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nmass = 1\n"),
            "m.toml:4: body number 1: name is missing");
  EXPECT_EQ(model_error(kPlanar + kBody + "[[body]]\nname = \"c\"\ninertia = 1\n"),
            "m.toml:8: body \"c\": mass is missing");
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"c\"\nmass = 1\n"),
            "m.toml:4: body \"c\": inertia is missing");
  EXPECT_EQ(
      model_error(kPlanar + "[[joint]]\nname = \"A\"\ntype = \"fixed\"\nparent = \"ground\"\n"),
      "m.toml:4: joint \"A\": child is missing");
  EXPECT_EQ(model_error(kPlanar + kJoint + "\nspring = { rest = 1 }\n"),
            "m.toml:10: joint \"A\": spring.stiffness is missing");
}

TEST(NativeError, MisspeltKeysThatAreRequired) {
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"c\"\nmass = 1\ninertai = 1\n"),
            "m.toml:4: body \"c\": inertia is missing, did you mean it by \"inertai\"?");
  EXPECT_EQ(
      model_error(kPlanar + kJoint + "\nspring = { stifness = 1 }\n"),
      "m.toml:10: joint \"A\": spring.stiffness is missing, did you mean it by \"stifness\"?");
}

TEST(NativeError, InertiaAsRowsOfAMatrix) {
  EXPECT_EQ(model_error(kSpatial + "[[body]]\nname = \"c\"\nmass = 1\n"
                                   "inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"),
            "m.toml:7: body \"c\": inertia is [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], not the "
            "rows of a matrix");
}

TEST(NativeError, UnknownKeys) {
  EXPECT_EQ(model_error("nmae = \"x\"\n" + kPlanar),
            "m.toml:1: unknown key \"nmae\", did you mean \"name\"?");
  EXPECT_EQ(model_error(kPlanar + kBody + "colour = 1\n"),
            "m.toml:8: body \"b\": unknown key \"colour\"; known keys are repeat, name, mass, com, "
            "inertia, accept_inertia");
  EXPECT_EQ(model_error(kPlanar + kJoint + "inital = { q = 1 }\n"),
            "m.toml:9: joint \"A\": unknown key \"inital\", did you mean \"initial\"?");
  EXPECT_EQ(model_error(kPlanar + kJoint + "at_parent = { positon = [1, 2] }\n"),
            "m.toml:9: joint \"A\": unknown key \"at_parent.positon\", did you mean \"position\"?");
  EXPECT_EQ(model_error(kSpatial + kJoint + "at_parent = { angle = 1 }\n"),
            "m.toml:9: joint \"A\": unknown key \"at_parent.angle\"; known keys are position, "
            "quat_wxyz, axis_angle");
  EXPECT_EQ(model_error(kPlanar + "[[sensor]]\nname = \"s\"\ntype = \"energy\"\nbody = \"b\"\n"),
            "m.toml:7: sensor \"s\": unknown key \"body\"; known keys are repeat, name, type");
}

TEST(NativeError, WrongTypes) {
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = 5\n"),
            "m.toml:5: body number 1: name must be a string, not a whole number");
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"b\"\nmass = \"1\"\n"),
            "m.toml:6: body \"b\": mass must be a number, not a string");
  EXPECT_EQ(model_error(kPlanar + kBody + "com = 1.0\n"),
            "m.toml:8: body \"b\": com must be an array of numbers, not a number");
  EXPECT_EQ(model_error(kPlanar + kBody + "com = [1.0, true]\n"),
            "m.toml:8: body \"b\": com must be a number, not true or false");
  EXPECT_EQ(model_error(kPlanar + kJoint + "initial = 1\n"),
            "m.toml:9: joint \"A\": initial must be a table, not a whole number");
  EXPECT_EQ(model_error(kPlanar + "[body]\nname = \"b\"\n"),
            "m.toml:4: body must be written as [[body]]");
  EXPECT_EQ(model_error("body = [1]\n" + kPlanar), "m.toml:1: body must be written as [[body]]");
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"\"\n"),
            "m.toml:5: body number 1: name is empty");
}

TEST(NativeError, WrongLengths) {
  EXPECT_EQ(model_error("format = 1\nspace = \"planar\"\ngravity = [0, 0, -9.81]\n"),
            "m.toml:3: gravity needs 2 numbers, has 3");
  EXPECT_EQ(model_error(kPlanar + kBody + "com = [1, 2, 3]\n"),
            "m.toml:8: body \"b\": com needs 2 numbers, has 3");
  EXPECT_EQ(model_error(kSpatial + "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1, 0]\n"),
            "m.toml:7: body \"b\": inertia needs 3 or 6 numbers, has 4");
  EXPECT_EQ(model_error(kPlanar + kJoint + "initial = { q = [1, 2] }\n"),
            "m.toml:9: joint \"A\": initial.q needs 1 number, has 2");
  EXPECT_EQ(model_error(kSpatial + kFree + "initial = { v = [1, 2] }\n"),
            "m.toml:9: joint \"A\": initial.v needs 6 numbers, has 2");
  EXPECT_EQ(model_error(kPlanar + kFixed + "initial = { q = [] }\n"),
            "m.toml:9: joint \"A\": a fixed joint has no coordinates, so no initial");
}

TEST(NativeError, NumbersThatAreNone) {
  EXPECT_EQ(model_error(kPlanar + "[[body]]\nname = \"b\"\nmass = nan\ninertia = 1\n"),
            "m.toml:6: body \"b\": mass is not a number (nan)");
  EXPECT_EQ(model_error(kPlanar + kBody + "com = [0.0, -inf]\n"),
            "m.toml:8: body \"b\": com is infinite");
  EXPECT_EQ(model_error("format = 1\nspace = \"planar\"\ngravity = [nan, 0]\n"),
            "m.toml:3: gravity is not a number (nan)");
}

TEST(NativeError, UnknownTypes) {
  EXPECT_EQ(model_error("format = 1\nspace = \"flat\"\n"),
            "m.toml:2: unknown space \"flat\"; known spaces are planar, spatial");
  EXPECT_EQ(model_error(kPlanar + "[[joint]]\nname = \"B\"\ntype = \"ball\"\n"),
            "m.toml:6: joint \"B\": unknown type \"ball\"; known types are revolute, prismatic, "
            "pin_in_slot, fixed, free");
  EXPECT_EQ(model_error(kPlanar + "[[joint]]\nname = \"B\"\ntype = \"revolut\"\n"),
            "m.toml:6: joint \"B\": unknown type \"revolut\", did you mean \"revolute\"?");
  EXPECT_EQ(model_error(kPlanar + "[[force]]\nname = \"f\"\ntype = \"rope\"\n"),
            "m.toml:6: force \"f\": unknown type \"rope\"; known types are spring_damper, limits, "
            "bushing, actuator, servo, wrench, drag, curve_spring");
  EXPECT_EQ(model_error(kPlanar + "[[sensor]]\nname = \"s\"\ntype = \"camera\"\n"),
            "m.toml:6: sensor \"s\": unknown type \"camera\"; known types are body, point, joint, "
            "reaction, energy");
}

TEST(NativeError, QuaternionNotUnit) {
  EXPECT_EQ(model_error(kSpatial + kJoint + "at_parent = { quat_wxyz = [1, 1, 1, 1] }\n"),
            "m.toml:9: joint \"A\": at_parent.quat_wxyz holds a quaternion of length 2, it must "
            "be 1");
  EXPECT_EQ(model_error(kSpatial + kFree + "initial = { q = [0, 0, 0, 0, 0, 0, 0] }\n"),
            "m.toml:9: joint \"A\": initial.q holds a quaternion of length 0, it must be 1");
  EXPECT_NE(model_error(kSpatial + kJoint + "at_parent = { quat_wxyz = [1.000002, 0, 0, 0] }\n"),
            "no ModelError");
}

TEST(NativeError, TwoRotations) {
  EXPECT_EQ(model_error(kSpatial + kJoint +
                        "at_parent = { quat_wxyz = [1, 0, 0, 0], axis_angle = "
                        "[0, 0, 1, 0] }\n"),
            "m.toml:9: joint \"A\": give quat_wxyz or axis_angle, not both");
}

// ---- The mechanisms that are shipped

struct Shipped {
  const char* name;
  std::size_t bodies;
  std::size_t joints;
};

std::ostream& operator<<(std::ostream& out, const Shipped& shipped) { return out << shipped.name; }

class NativeShipped : public testing::TestWithParam<Shipped> {};

TEST_P(NativeShipped, Reads) {
  const std::filesystem::path folder =
      std::filesystem::path(HAMILTREE_MECHANISMS) / GetParam().name;
  const Mechanism m = parse_native(read_text(folder / "model.toml"), "model.toml");
  EXPECT_EQ(m.name, GetParam().name);
  EXPECT_EQ(m.bodies.size(), GetParam().bodies);
  EXPECT_EQ(m.joints.size(), GetParam().joints);
  EXPECT_TRUE(std::filesystem::exists(folder / "README.md"));
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, NativeShipped,
    testing::Values(
        Shipped{"double_pendulum", 2, 2}, Shipped{"four_bar", 3, 4},
        Shipped{"four_bar_spatial", 3, 4}, Shipped{"chadaj_case_1", 4, 5},
        Shipped{"chadaj_case_2", 8, 9}, Shipped{"chadaj_case_3", 8, 10},
        Shipped{"spatial_arm", 6, 6}, Shipped{"chain_100", 100, 100}, Shipped{"bennett", 3, 4},
        Shipped{"bricard", 5, 6}, Shipped{"rssr", 3, 4}, Shipped{"door", 1, 3},
        Shipped{"parallelogram", 4, 6}, Shipped{"pendulum_on_moving_pivot", 1, 1},
        Shipped{"driven_slider_crank", 3, 4}, Shipped{"gear_pair", 2, 2},
        Shipped{"screw_press", 2, 3}, Shipped{"cardan_shaft", 2, 3}, Shipped{"scotch_yoke", 2, 3},
        Shipped{"andrews", 7, 10}, Shipped{"iftomm_a01_pendulum", 1, 1},
        Shipped{"iftomm_a02_four_bars_2", 5, 7}, Shipped{"iftomm_a02_four_bars_40", 81, 121},
        Shipped{"iftomm_a04_bricard", 5, 6}, Shipped{"iftomm_a05_flyball_governor", 4, 4},
        Shipped{"spatial_slider_crank", 3, 4}, Shipped{"heavy_top", 1, 1},
        Shipped{"torque_free_body", 1, 1}, Shipped{"stewart", 13, 18}, Shipped{"delta", 10, 15},
        Shipped{"suspension", 17, 25}, Shipped{"excavator", 12, 16}, Shipped{"biped", 19, 23},
        Shipped{"hexapod", 13, 18}, Shipped{"spherical_3rrr", 7, 9}, Shipped{"sarrus", 5, 6},
        Shipped{"motorcycle", 12, 15}, Shipped{"pantograph_leg", 7, 9},
        Shipped{"planetary_gear", 10, 10}, Shipped{"backhoe", 23, 31},
        Shipped{"deployable_ring", 23, 30}, Shipped{"scissor_lift", 12, 17},
        Shipped{"hand", 20, 24}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hamiltree
