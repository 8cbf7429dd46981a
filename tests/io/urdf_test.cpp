// URDF: what is read, tidied and refused, and that all ways to say a loop mean the same.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>

#include "hamiltree/base/text.hpp"
#include "hamiltree/hamiltree.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

using test::body_of;
using test::force_on;
using test::import_error;
using test::import_text;
using test::joint_of;
using test::model_file;

Mechanism read_urdf(const std::string& name, const ImportOptions& options = {}) {
  ImportLog log;
  return read_model(model_file(name), options, log).mechanism();
}

double angle_after(const Mechanism& mechanism, const std::string& joint, double until) {
  auto with_sensor = mechanism;
  with_sensor.add(JointSensor{"watched", joint, {}});
  const Model model(with_sensor);
  SimulationOptions options;
  options.integrator = DormandPrince{1e-11, 1e-11};
  return Simulation(model, options).run_until(until, until).samples.back().sensors(0);
}

// --- motors ---

class UrdfMotors : public testing::Test {
 protected:
  ~UrdfMotors() override { std::filesystem::remove(file_); }

  Mechanism driven(const std::string& controls) const {
    std::ofstream(file_) << controls;
    ImportOptions options;
    options.control = file_.string();
    return import_text(kRobot, options).mechanism;
  }
  std::string error(const std::string& controls) const {
    try {
      driven(controls);
    } catch (const ModelError& error) {
      const std::string what = error.what();
      return what.substr(what.find(": ") + 2);
    }
    return "none";
  }

  const std::string kLink =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  const std::string kRobot =
      "<robot name='r'><link name='world'/><link name='a'>" + kLink + "<link name='b'>" + kLink +
      "<joint name='A' type='revolute'><parent link='world'/><child link='a'/>"
      "<limit effort='7' velocity='1'/></joint>"
      "<joint name='B' type='prismatic'><parent link='a'/><child link='b'/></joint>"
      "<link name='c'>" +
      kLink + "<link name='d'>" + kLink +
      "<joint name='C' type='prismatic'><parent link='a'/><child link='c'/></joint>"
      "<joint name='D' type='continuous'><parent link='a'/><child link='d'/></joint>"
      "<transmission name='t'><joint name='A'>"
      "<hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>"
      "</transmission><ros2_control name='c'><joint name='B'>"
      "<command_interface name='velocity'/><command_interface name='effort'/></joint>"
      "<joint name='C'><command_interface name='effort'><param name='min'>-1</param>"
      "<param name='max'>2</param></command_interface></joint></ros2_control>"
      "<transmission name='u'><joint name='D'/><actuator name='d'/></transmission>"
      "<link name='f'/><joint name='F' type='continuous'><parent link='a'/><child link='f'/>"
      "</joint><transmission name='v'><joint name='F'/></transmission></robot>";
  std::filesystem::path file_ = test::own_path("motors.toml");
};

const Servo& servo_named(const Mechanism& mechanism, const std::string& name) {
  for (const auto& force : mechanism.forces) {
    const auto* servo = std::get_if<Servo>(&force);
    if (servo != nullptr && servo->name == name) return *servo;
  }
  throw std::out_of_range("no servo " + name);
}

TEST_F(UrdfMotors, AreServosByTheirGains) {
  const auto both = driven(
      "[control]\nA = 0.5\nB = 3\n[gains]\nA = { stiffness = 100, damping = 10 }\n"
      "B = { damping = 2 }\n");
  const auto& position = servo_named(both, "A_motor");
  EXPECT_EQ(std::get<Polynomial>(position.effort).coefficients, std::vector{50.0});
  EXPECT_EQ(position.stiffness, 100.0);
  EXPECT_EQ(position.damping, 10.0);
  EXPECT_EQ(position.upper, 7.0);
  EXPECT_EQ(position.lower, -7.0);
  const auto& velocity = servo_named(both, "B_motor");
  EXPECT_EQ(std::get<Polynomial>(velocity.effort).coefficients, std::vector{6.0});
  EXPECT_EQ(velocity.stiffness, 0.0);
  EXPECT_FALSE(velocity.upper);
  const auto effort = driven("[control]\nB = 3\n");
  EXPECT_EQ(std::get<Polynomial>(servo_named(effort, "B_motor").effort).coefficients,
            std::vector{3.0});
  EXPECT_EQ(effort.forces.size(), 1U);
}

TEST(Urdf, RotorsOfDrakeAreArmature) {
  const auto robot = [](const std::string& joint) {
    return "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/>"
           "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
           "<joint name='A' type='continuous'><parent link='world'/><child link='a'/></joint>"
           "<transmission><joint name='" +
           joint +
           "'/><actuator name='m'>"
           "<drake:rotor_inertia value='0.5'/><drake:gear_ratio value='4'/></actuator>"
           "</transmission></robot>";
  };
  EXPECT_EQ(joint_of(import_text(robot("A")).mechanism, "A").armature, 8.0);
  EXPECT_NE(import_error(robot("B")).find("joint \"B\" is not in this file"), std::string::npos);
}

// Of URDF, but not in it: Fourier's robots have it.
TEST(Urdf, ArmatureInDynamicsIsThatOfTheJoint) {
  const auto robot = [](const std::string& type) {
    return "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia "
           "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='A' "
           "type='" +
           type +
           "'><parent link='a'/><child link='b'/><dynamics armature='0.6' "
           "damping='0.01'/></joint></robot>";
  };
  const auto read = import_text(robot("continuous"), {.fixed_base = true});
  EXPECT_EQ(joint_of(read.mechanism, "A").armature, 0.6);
  EXPECT_EQ(read.log.warning_count(), 0U);
  EXPECT_EQ(import_text(robot("floating"), {.fixed_base = true}).log.warning_count(), 1U);
}

TEST_F(UrdfMotors, KeepWithinTheirCommandInterface) {
  EXPECT_EQ(std::get<Polynomial>(servo_named(driven("[control]\nC = 9\n"), "C_motor").effort)
                .coefficients,
            std::vector{2.0});
  EXPECT_NE(error("[control]\nC = { type = \"sine\", amplitude = 3.0, frequency = 1.0 }\n")
                .find("leaves the min and max"),
            std::string::npos);
  // Transmissions that name no interface are of effort.
  EXPECT_EQ(servo_named(driven("[control]\nD = 4\n"), "D_motor").stiffness, 0.0);
}

TEST_F(UrdfMotors, OnlyOfWhatTheFileNames) {
  EXPECT_EQ(error("[control]\nA = 3\n"),
            "joint \"A\" has no motor that is driven by effort, only by position; [gains] says how "
            "it is driven");
  EXPECT_NE(error("[control]\nE = 3\n").find("E"), std::string::npos);
  EXPECT_EQ(error("[control]\nF = 3\n"), "joint \"F\" is not in the model, or left out of it");
  EXPECT_NE(error("[gains]\nB = { damping = 3 }\n").find("B"), std::string::npos);
  EXPECT_NE(error("[control]\nB = 3\n[gains]\nB = { kp = 3 }\n").find("kp"), std::string::npos);
}

// The linkage with its coupler's pin this far beside that of the rocker, along the axes.
std::string linkage_with_gap(double gap) {
  std::ifstream file(model_file("loop_joint.urdf"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string drawn = "xyz=\"0.6 0 0.1\"";
  const auto place = text.find(drawn);
  EXPECT_NE(place, text.npos);
  return text.replace(place, drawn.size(), "xyz=\"0.6 " + to_text(gap) + " 0.1\"");
}

// Pins drawn in space, a micrometre beside each other: the loop is closed by a shift that is told
// of, and moves as without it.
TEST(Urdf, LoopsOpenByRoundingAreClosed) {
  const auto [mechanism, log] = import_text(linkage_with_gap(1e-6));
  EXPECT_EQ(log.lines().back(),
            "the loop that joint \"D\" closes was open by 1e-6 m; the joint's frame on \"rocker\" "
            "is shifted by that");
  EXPECT_NEAR(std::abs(joint_of(mechanism, "D").at_child.position.y()), 1e-6, 1e-12);
  EXPECT_NEAR(angle_after(mechanism, "A", 0.5), angle_after(read_urdf("loop_joint.urdf"), "A", 0.5),
              1e-9);
  EXPECT_THROW(Simulation(Model(import_text(linkage_with_gap(2e-6)).mechanism)), ModelError);
  const auto exact = import_text(linkage_with_gap(0.0));
  for (const auto& line : exact.log.lines()) EXPECT_EQ(line.find("shifted"), line.npos) << line;
}

// Links that fixed joints hold together are one body, at the pose and with the mass of all.
TEST(Urdf, FixedLinksAreMerged) {
  const auto arm = read_urdf("arm.urdf");
  ASSERT_EQ(arm.bodies.size(), 4U);
  const auto& upper = body_of(arm, "upper");
  EXPECT_DOUBLE_EQ(upper.mass, 2.3);
  const Eigen::Vector3d box =
      Eigen::Vector3d(0.1, -0.1, 0.2) + (Eigen::AngleAxisd(-0.3, Eigen::Vector3d::UnitZ()) *
                                         Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitY()) *
                                         Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitX())) *
                                            Eigen::Vector3d(0.01, 0.0, 0.0);
  const Eigen::Vector3d com = (2.0 * Eigen::Vector3d(0.0, 0.1, 0.2) + 0.3 * box) / 2.3;
  EXPECT_LT((upper.com - com).norm(), 1e-15);
  EXPECT_EQ(joint_of(arm, "elbow").parent, "upper");
  EXPECT_EQ(joint_of(arm, "shoulder").parent, kGround);
  EXPECT_LT((joint_of(arm, "shoulder").at_parent.position - Eigen::Vector3d(0, 0, 0.6)).norm(),
            1e-15);
}

TEST(Urdf, LimitsFrictionAndMimicAreRead) {
  const auto arm = read_urdf("arm.urdf");
  const auto* stops = force_on<JointLimits>(arm, "shoulder");
  ASSERT_NE(stops, nullptr);
  EXPECT_EQ(stops->lower, -2.0);
  EXPECT_EQ(stops->upper, 2.5);
  EXPECT_GT(stops->stiffness, 0.0);
  EXPECT_EQ(force_on<JointSpringDamper>(arm, "shoulder")->damping, 0.2);
  EXPECT_EQ(force_on<JointFriction>(arm, "shoulder")->coulomb, 0.1);
  ASSERT_EQ(arm.couplings.size(), 1U);
  EXPECT_EQ(arm.couplings[0].joint, "right");
  EXPECT_EQ(arm.couplings[0].to, "left");
  // Where zero is beyond a stop, the joint starts between its stops.
  EXPECT_DOUBLE_EQ((*joint_of(arm, "left").guess_q)(0), 0.03);
}

// Followers do not pull their leaders out from between their stops.
TEST(Urdf, FollowersStartWhereTheirLeadersPutThem) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& child, const std::string& rest) {
    return "<joint name='" + child + "_joint' type='revolute'><parent link='world'/><child link='" +
           child + "'/>" + rest + "</joint>";
  };
  const auto m =
      import_text("<robot name='r'><link name='world'/>" + link("c") + link("b") + link("a") +
                  joint("c",
                        "<limit lower='-9' upper='9'/><mimic joint='b_joint' "
                        "multiplier='-1' offset='0.5'/>") +
                  joint("b",
                        "<limit lower='-9' upper='9'/><mimic joint='a_joint' "
                        "multiplier='2' offset='-0.5'/>") +
                  joint("a", "<limit lower='0.5' upper='1'/>") + "</robot>")
          .mechanism;
  const auto run = Simulation(Model(m)).run_until(1e-3, 1e-3);
  const auto start = [&](const std::string& name) {
    for (std::size_t i = 0; i < run.header.q.size(); ++i)
      if (run.header.q[i].name == "q." + name) return run.samples[0].q(static_cast<int>(i));
    return std::nan("");
  };
  EXPECT_NEAR(start("a_joint"), 0.75, 1e-12);
  EXPECT_NEAR(start("b_joint"), 1.0, 1e-12);
  EXPECT_NEAR(start("c_joint"), -0.5, 1e-12);
}

// Such couplings used to go in silence, with those of joints that are left out.
TEST(Urdf, MimicsOfJointsThatAreNotThereAreRefused) {
  const std::string text =
      "<robot name='r'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia "
      "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
      "<joint name='j' type='continuous'><parent link='world'/><child link='a'/>\n"
      "<mimic joint='k'/></joint></robot>";
  EXPECT_EQ(import_error(text),
            "m.xml:3: coupling \"j\": joint \"k\" is not a joint of this mechanism");
}

TEST(Urdf, SecondMimicsOfAJointAreWarnedOf) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& child, const std::string& rest) {
    return "<joint name='" + child +
           "_joint' type='continuous'><parent link='world'/><child link='" + child + "'/>" + rest +
           "</joint>";
  };
  const auto read =
      import_text("<robot name='r'><link name='world'/>" + link("a") + link("b") + link("c") +
                  joint("a", "<mimic joint='b_joint'/><mimic joint='c_joint'/>") + joint("b", "") +
                  joint("c", "") + "</robot>");
  ASSERT_EQ(read.mechanism.couplings.size(), 1U);
  EXPECT_EQ(read.mechanism.couplings.front().to, "b_joint");
  EXPECT_EQ(read.log.warning_count(), 1U);
}

// One joint in each gripper of the PR2 turns the other way than its stops allow.
TEST(Urdf, StopsThatLeaveAPairNoWayAreWarnedOf) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial></link>";
  };
  const auto warnings = [&](const std::string& leader, const std::string& follower,
                            const std::string& mimic) {
    const auto joint = [](const std::string& name, const std::string& child,
                          const std::string& rest) {
      return "<joint name='" + name + "' type='revolute'><parent link='world'/><child link='" +
             child + "'/><limit " + rest + "</joint>";
    };
    const auto read = import_text(
        "<robot name='r'><link name='world'/>" + link("a") + link("b") + "\n" +
        joint("left", "a", leader + "/>") + "\n" +
        joint("right", "b", follower + "/><mimic joint='left' " + mimic + "/>") + "</robot>");
    return read.log.warning_count() == 0 ? "" : read.log.lines().front();
  };
  const std::string open = "lower='0' upper='0.5'";
  EXPECT_EQ(warnings(open, open, "multiplier='-1'"),
            "warning: m.xml:3: joint \"right\": its stops, from 0 to 0.5, and those of joint "
            "\"left\", which it follows, from 0 to 0.5, leave them no way: they move against their "
            "stops");
  EXPECT_NE(warnings(open, open, "offset='0.7'"), "");
  EXPECT_NE(warnings(open, "lower='-2' upper='-1e-9'", "multiplier='-1' offset='0.5'"), "");
  EXPECT_EQ(warnings(open, open, "multiplier='-1' offset='0.4'"), "");
  EXPECT_EQ(warnings(open, open, ""), "");
  EXPECT_EQ(warnings(open, "lower='-0.5' upper='0'", "multiplier='-1'"), "");
  EXPECT_EQ(warnings(open, "lower='-inf' upper='0'", "multiplier='-2'"), "");
}

TEST(Urdf, WhatHasNoMassAndNothingBehindItIsLeftOut) {
  ImportLog log;
  const auto arm = read_model(model_file("arm.urdf"), {}, log).mechanism();
  EXPECT_THROW(joint_of(arm, "tool"), std::out_of_range);
  const auto lines = log.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("link \"tool\" has no mass and nothing behind it"), std::string::npos)
      << lines[0];
}

// The joint of either link decides how the other one moves.
TEST(Urdf, LinksWithoutMassStayWhereTheirJointsAreCoupled) {
  const auto read = [](const std::string& leader, const std::string& follower) {
    const auto link = [](const std::string& name, const std::string& mass) {
      return "<link name='" + name + "'>" +
             (mass.empty() ? ""
                           : "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
                             "ixz='0' iyz='0'/></inertial>") +
             "</link>";
    };
    const auto joint = [](const std::string& name, const std::string& rest) {
      return "<joint name='j" + name + "' type='continuous'><parent link='world'/><child link='" +
             name + "'/>" + rest + "</joint>";
    };
    return import_text("<robot name='r'><link name='world'/>" + link("a", leader) +
                       link("b", follower) + link("c", "") + link("d", "1") + joint("a", "") +
                       joint("b", "<dynamics damping='3'/><mimic joint='ja' multiplier='2'/>") +
                       joint("c", "<mimic joint='jb'/>") + joint("d", "") + "</robot>");
  };
  for (const auto& [leader, follower] : {std::pair("", "1"), {"1", ""}, {"1", "1"}}) {
    const auto kept = read(leader, follower);
    EXPECT_EQ(kept.mechanism.couplings.size(), 2U) << leader << follower;
    EXPECT_NE(test::force_on<JointSpringDamper>(kept.mechanism, "jb"), nullptr);
    EXPECT_EQ(kept.log.warning_count(), 0U);
  }
  const auto left = read("", "");
  EXPECT_EQ(left.mechanism.joints.size(), 1U);
  EXPECT_TRUE(left.mechanism.couplings.empty());
  EXPECT_EQ(left.log.warning_count(), 3U);
}

// It stands at the offset, and so does what mimics it in turn.
TEST(Urdf, JointsThatMimicAFixedOneAreHeld) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& child,
                        const std::string& mimic) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='a'/><child link='" +
           child + "'/>" + mimic + "</joint>";
  };
  const auto read =
      import_text("<robot name='r'>" + link("a") + link("b") + link("c") + link("d") +
                  joint("j", "fixed", "b", "") +
                  joint("k", "continuous", "c", "<mimic joint='j' multiplier='2' offset='0.1'/>") +
                  joint("l", "continuous", "d", "<mimic joint='k' multiplier='3'/>") + "</robot>");
  EXPECT_TRUE(read.mechanism.couplings.empty());
  const auto place_of = [&](const char* name) {
    return std::get<Polynomial>(joint_of(read.mechanism, name).drive.value()).coefficients.at(0);
  };
  EXPECT_EQ(place_of("k"), 0.1);
  EXPECT_NEAR(place_of("l"), 0.3, 1e-15);
  EXPECT_EQ(read.log.warning_count(), 0U);
  EXPECT_EQ(read.log.lines().at(1),
            "joint \"k\" is held, for joint \"j\", to which it is coupled, cannot move");
}

TEST(Urdf, ForcesThatAreNoSpringsAreWarnedOf) {
  const auto read = [](const std::string& force) {
    return import_text(
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
        "</joint><force_element name='f'>" +
        force + "</force_element></robot>");
  };
  EXPECT_EQ(read("<propellor lower_limit='0'/>").log.lines().front(),
            "warning: m.xml:1: element <propellor> in <force_element> is unknown and ignored");
  const std::string spring = "<torsional_spring stiffness='2'><joint name='j'/></torsional_spring>";
  EXPECT_EQ(read(spring + spring).mechanism.forces.size(), 2U);
  EXPECT_THROW(read(""), ModelError);
}

TEST(Urdf, ASecondInertialIsWarnedOf) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>\n";
  const auto read =
      import_text("<robot name='r'><link name='a'>" + inertial + inertial + "</link></robot>");
  EXPECT_EQ(read.log.lines().front(),
            "warning: m.xml:2: a link has one <inertial>; this one is ignored");
  EXPECT_EQ(body_of(read.mechanism, "a").mass, 1.0);
}

TEST(Urdf, EndlessLimitsAreNone) {
  const auto stops_of = [](const std::string& limit) {
    const auto m = import_text(
                       "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
                       "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><joint name='j' "
                       "type='revolute'><parent link='a'/><child link='b'/><limit " +
                       limit + "/></joint></robot>")
                       .mechanism;
    const auto* stops = test::force_on<JointLimits>(m, "j");
    return stops == nullptr ? JointLimits{} : *stops;
  };
  EXPECT_FALSE(stops_of("lower='-inf' upper='inf'").lower);
  EXPECT_FALSE(stops_of("lower='-inf' upper='2'").lower);
  EXPECT_EQ(stops_of("lower='-inf' upper='2'").upper, 2.0);
  EXPECT_EQ(stops_of("lower='-1' upper='+infinity'").lower, -1.0);
}

// As that of the PR2: in Gazebo another joint has the name of one that moves an empty frame.
TEST(Urdf, ALinkWithoutMassGoesWhateverElseHasTheNameOfItsJoint) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
  const auto read = import_text(
      "<robot name='r'><link name='a'>" + inertial + "<link name='b'>" + inertial +
      "<link name='frame'/><joint name='j' type='continuous'><parent link='a'/>"
      "<child link='frame'/></joint><gazebo><joint name='j' type='ball'><parent>a</parent>"
      "<child>b</child></joint></gazebo></robot>");
  EXPECT_EQ(read.mechanism.bodies.size(), 2U);
  EXPECT_EQ(read.log.warning_count(), 1U);
}

// As those of a public Robotiq gripper: finger and tip, coupled to each other, weigh nothing.
TEST(Urdf, CoupledJointsWithNothingButLinksWithoutMassAreLeftOut) {
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& mimic) {
    return "<link name='" + child + "'/><joint name='" + name +
           "' type='continuous'><parent link='" + parent + "'/><child link='" + child + "'/>" +
           mimic + "</joint>";
  };
  const auto read = import_text(
      "<robot name='r'><link name='hand'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>" +
      joint("A", "hand", "finger", "") + joint("B", "finger", "tip", "<mimic joint='A'/>") +
      joint("C", "hand", "other", "<mimic joint='A'/>") + "</robot>");
  EXPECT_EQ(read.mechanism.bodies.size(), 1U);
  EXPECT_TRUE(read.mechanism.couplings.empty());
  EXPECT_EQ(read.log.warning_count(), 3U);
}

// Measured 4e-12 at most.
TEST(Urdf, AllWaysToSayALoopMeanTheSame) {
  const double expected = angle_after(read_urdf("loop_joint.urdf"), "A", 1.0);
  EXPECT_GT(std::abs(expected), 0.1);
  for (const char* name : {"urdf_plus.urdf", "second_parent.urdf", "side_car.urdf"}) {
    const auto mechanism = read_urdf(name);
    EXPECT_EQ(mechanism.bodies.size(), 3U) << name;
    EXPECT_NEAR(angle_after(mechanism, "A", 1.0), expected, 1e-9) << name;
  }
}

const std::string kMass =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
std::string link(const std::string& name, const std::string& inertial = kMass) {
  return "<link name='" + name + "'>" + inertial + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& rest = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + rest + "</joint>\n";
}
std::string robot(const std::string& content) {
  return "<robot name='r'>\n" + content + "</robot>\n";
}

TEST(Urdf, TheRootFloatsUnlessItIsTheWorldOrHasNoMass) {
  const auto floating = import_text(robot(link("a"))).mechanism;
  EXPECT_EQ(joint_of(floating, "a").type, JointType::kFree);
  const auto held =
      import_text(robot(link("a", "") + link("b") + joint("j", "continuous", "a", "b")));
  EXPECT_EQ(joint_of(held.mechanism, "j").parent, kGround);
  const auto fixed = import_text(robot(link("a") + link("b") + joint("j", "continuous", "a", "b")),
                                 {.fixed_base = true});
  EXPECT_EQ(joint_of(fixed.mechanism, "j").parent, kGround);
}

TEST(Urdf, AMassWithoutInertiaIsAPointMass) {
  const std::string mass = "<inertial><origin xyz='0 0 0.5'/><mass value='2'/></inertial>";
  const auto [mechanism, log] = import_text(
      robot(link("base", "") + link("bob", mass) + joint("j", "continuous", "base", "bob")));
  ASSERT_EQ(mechanism.bodies.size(), 1U);
  EXPECT_EQ(mechanism.bodies[0].mass, 2.0);
  EXPECT_EQ(mechanism.bodies[0].com, Eigen::Vector3d(0.0, 0.0, 0.5));
  EXPECT_EQ(mechanism.bodies[0].inertia.norm(), 0.0);
  EXPECT_EQ(log.warning_count(), 1U);
}

TEST(Urdf, CouplingsOfUrdfPlus) {
  const auto m = import_text(robot(link("base", "") + link("a") + link("b") +
                                   joint("ja", "continuous", "base", "a") +
                                   joint("jb", "continuous", "base", "b") +
                                   "<coupling name='belt'><predecessor link='a'/>"
                                   "<successor link='b'/><ratio value='3'/></coupling>"))
                     .mechanism;
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_EQ(m.couplings[0].joint, "jb");
  EXPECT_EQ(m.couplings[0].to, "ja");
  EXPECT_EQ(m.couplings[0].ratio, 3.0);
}

// Over two pins of one direction a link turns by the sum of their angles.
TEST(Urdf, CouplingsOverSeveralPins) {
  const std::string axis = "<axis xyz='0 1 0'/>";
  auto m = import_text(robot(link("base", "") + link("a") + link("b") + link("c") +
                             joint("ja", "continuous", "base", "a", axis) +
                             joint("jb", "continuous", "a", "b",
                                   axis + "<origin xyz='0 0 1' rpy='0 0.5 0'/>") +
                             joint("jc", "continuous", "base", "c", axis) +
                             "<coupling name='belt'><predecessor link='b'/>"
                             "<successor link='c'/><ratio value='2'/></coupling>"))
               .mechanism;
  for (const char* name : {"ja", "jb", "jc"}) m.add(JointSensor{name, name, {}});
  for (auto& j : m.joints) {
    if (j.name == "ja") j.initial_v = Eigen::VectorXd::Constant(1, 0.7);
    if (j.name == "jb") j.initial_v = Eigen::VectorXd::Constant(1, -0.3);
  }
  const auto run = Simulation(Model(m)).run_until(1.0, 0.5);
  const auto& q = run.samples.back().sensors;  // coordinate and rate of each
  EXPECT_GT(std::abs(q(0)), 0.1);
  EXPECT_NEAR(q(4), 2.0 * (q(0) + q(2)), 1e-10);
  EXPECT_LT(run.summary.constraint.position_max, 1e-10);
}

TEST(Urdf, InertiasAreJudgedAfterMerging) {
  const std::string flat =
      "<inertial><mass value='1'/><inertia ixx='0' iyy='0' izz='1'/></inertial>";
  const std::string weak =
      "<inertial><mass value='1'/><inertia ixx='0' iyy='0' izz='0.1'/></inertial>";
  EXPECT_EQ(import_error(robot(link("a", flat))),
            "m.xml:2: link \"a\": inertia breaks the triangle inequality: of its principal "
            "moments, 0 and 0 together are less than 1 (fixed links merged; --balance-inertia "
            "makes the moments equal, --accept-inertia takes them as they are)");
  EXPECT_EQ(import_error(robot(link("a") + link("b", weak) + joint("j", "fixed", "a", "b"))),
            "no ModelError");
  const auto balanced = import_text(robot(link("a", flat)), {.balance_inertia = true});
  EXPECT_TRUE(body_of(balanced.mechanism, "a").inertia.isApprox(Eigen::Matrix3d::Identity() / 3.0));
  EXPECT_EQ(balanced.log.warning_count(), 1U);
}

TEST(Urdf, SaysWhyAJointCannotMove) {
  const auto lines = [](const std::string& parent) {
    return import_text(robot(link("a") + link("b") + link("c") + joint("f", "fixed", "a", "b") +
                             joint("g", "revolute", "a", "c") +
                             joint("j", "revolute", parent, "b")))
        .log.lines();
  };
  EXPECT_EQ(lines("b").front(),
            "warning: m.xml:7: joint \"j\" cannot move, it connects a body to itself; it is left "
            "out");
  EXPECT_EQ(lines("a").front(),
            "warning: m.xml:7: joint \"j\" cannot move, its bodies are held together by fixed "
            "joints; it is left out");
}

TEST(Urdf, Refusals) {
  EXPECT_EQ(import_error(robot(link("a") + link("a"))),
            "m.xml:3: <link name=\"a\">: another link has this name already");
  EXPECT_EQ(import_error(robot(link("a") + joint("j", "fixed", "a", "b"))),
            "m.xml:3: <child>: link \"b\" is not in this file");
  EXPECT_EQ(
      import_error(robot(link("a") + link("b") + joint("j", "ball", "a", "b"))),
      "m.xml:4: <joint name=\"j\">: unknown type \"ball\"; known types are continuous, fixed, "
      "floating, planar, prismatic, revolute, spherical");
  EXPECT_EQ(import_error(robot(link("a") + link("b") + joint("j", "revolut", "a", "b"))),
            "m.xml:4: <joint name=\"j\">: unknown type \"revolut\", did you mean \"revolute\"?");
  EXPECT_EQ(
      joint_of(
          import_text(robot(link("a") + link("b") + joint("j", "spherical", "a", "b"))).mechanism,
          "j")
          .type,
      JointType::kSpherical);  // of Bullet
  EXPECT_EQ(import_error(robot(link("a") + link("b") +
                               joint("j", "revolute", "a", "b", "<axis xyz='0 0 0'/>"))),
            "m.xml:4: <axis>: has no direction, it is zero");
  EXPECT_EQ(import_error(robot(link("a") + "<link/>\n")),
            "m.xml:3: <link>: attribute name is missing");
  // Two that are parents of each other: nothing says where they are.
  EXPECT_EQ(import_error(robot(link("a") + link("b") + joint("j", "fixed", "a", "b") +
                               joint("k", "fixed", "b", "a") + joint("l", "fixed", "a", "b"))),
            "m.xml:6: joint \"l\": gives its child a second parent, and joints that are parents "
            "of each other leave its place open");
  EXPECT_EQ(import_error(robot(link("a", "") + link("b") +
                               joint("j", "fixed", "a", "b", "<origin xyz='0 2 0'/>") +
                               "<loop name='l' type='fixed'><predecessor link='a'/>"
                               "<successor link='b'/></loop>")),
            "m.xml:5: joint \"l\": is fixed and contradicts other fixed joints by 2 m or rad");
}

// joint_type of the .yaml beside a file: the frames are those that the file says, not those that
// are turned to the axis.
TEST(Urdf, TheSideCarChangesTypesOfJoints) {
  const auto folder = test::own_path("side_car_types");
  std::filesystem::create_directories(folder);
  const auto file = folder / "r.urdf";
  std::ofstream(file) << robot(
      link("a") + link("b") + link("c") + link("d") +
      joint("ball", "revolute", "a", "b", "<axis xyz='0 1 0'/><limit lower='-1' upper='1'/>") +
      joint("cross", "continuous", "b", "c", "<axis xyz='1 0 0'/><origin xyz='1 2 3'/>") +
      joint("still", "continuous", "c", "d", "<axis xyz='1 0 0'/>"));
  const auto read = [&](const std::string& yaml) {
    std::ofstream(folder / "r.yaml") << yaml;
    ImportLog log(true);
    return read_model(file, {.fixed_base = true}, log).mechanism();
  };
  const auto m =
      read("joint_name: [ball, cross, still]\njoint_type: [SPHERICAL, UJOINT_YZ, FIXED]\n");
  EXPECT_EQ(m.bodies.size(), 2U);
  EXPECT_EQ(joint_of(m, "ball").type, JointType::kSpherical);
  EXPECT_TRUE(m.forces.empty());
  const auto& cross = joint_of(m, "cross");
  EXPECT_EQ(cross.type, JointType::kUniversal);
  EXPECT_LT((cross.at_parent.rotation.col(0) - Eigen::Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT((cross.at_child.rotation.col(1) - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((cross.at_parent.position - Eigen::Vector3d(1, 2, 3)).norm(), 1e-15);
  EXPECT_THROW(read("joint_name: [cross]\njoint_type: [UJOINT_XX]\n"), ModelError);
  EXPECT_THROW(read("joint_name: [cross]\njoint_type: []\n"), ModelError);
  // A warning, which is an error here.
  EXPECT_THROW(read("joint_name: [nobody]\njoint_type: [FIXED]\n"), ModelError);
  std::filesystem::remove_all(folder);
}

// A loop that is closed in the file starts there, whichever joint is cut: the pin that closes it
// has turned, by as much as its frames say.
TEST(Urdf, LoopsThatAreClosedInTheFileStartThere) {
  const std::string z = "<axis xyz='0 0 1'/>";
  const std::string five_bar =
      link("a") + link("b") + link("c") + link("d") +
      joint("A", "continuous", "world", "a", z + "<origin rpy='0 0 2'/>") +
      joint("B", "continuous", "a", "b", z + "<origin xyz='1 0 0' rpy='0 0 -1.7'/>") +
      joint("E", "continuous", "world", "d", z + "<origin xyz='1.5 0 0' rpy='0 0 1'/>") +
      joint("D", "continuous", "d", "c", z + "<origin xyz='1 0 0' rpy='0 0 1.78531'/>");
  for (const auto& loop :
       {"<loop_joint name='C' type='continuous'>" + z +
            "<link1 link='b' xyz='1.3 0 0' rpy='0 0 0'/>"
            "<link2 link='c' xyz='1.29590 0 0' rpy='0 0 0'/></loop_joint>",
        "<loop name='C' type='continuous'>" + z +
            "<predecessor link='b'><origin xyz='1.3 0 0'/></predecessor>"
            "<successor link='c'><origin xyz='1.29590 0 0'/></successor></loop>"}) {
    const auto m = import_text(robot(five_bar + loop)).mechanism;
    for (const auto* pin : {"A", "B", "D", "E"}) {
      EXPECT_NEAR(angle_after(m, pin, 1e-9), 0.0, 1e-4) << pin;
    }
    EXPECT_NEAR(angle_after(m, "C", 1e-9), 2.48531, 1e-4);
  }
}

// A ball that closes a loop has not turned there, though the axes of its links do not agree.
TEST(Urdf, BallsOfTheSideCarAreAtZeroWhereTheFileStarts) {
  const auto folder = test::own_path("side_car_ball");
  std::filesystem::create_directories(folder);
  const auto file = folder / "r.urdf";
  std::ofstream(file) << robot(
      link("a") + link("b") + link("c") + link("of_b", "") + link("of_c", "") +
      joint("A", "continuous", "world", "a", "<axis xyz='0 0 1'/><origin rpy='0 0 1.5'/>") +
      joint("B", "continuous", "a", "b", "<axis xyz='0 0 1'/><origin xyz='1 0 0' rpy='0 0 -2'/>") +
      joint("D", "continuous", "world", "c",
            "<axis xyz='0 0 1'/><origin xyz='0.183477576274 -0.126148239238 0' rpy='0 0 0.7'/>") +
      joint("to_b", "fixed", "b", "of_b", "<origin xyz='1 0 0' rpy='0.3 0 0'/>") +
      joint("to_c", "fixed", "c", "of_c", "<origin xyz='1 0 0'/>"));
  std::ofstream(folder / "r.yaml") << "closed_loop: [[of_c, of_b]]\ntype: ['3d']\n";
  ImportLog log(true);
  const auto m = read_model(file, {.fixed_base = true}, log).mechanism();
  const auto& ball = joint_of(m, "closed_loop_1");
  ASSERT_EQ(ball.type, JointType::kSpherical);
  using Eigen::AngleAxisd, Eigen::Vector3d;
  const AngleAxisd c(0.7, Vector3d::UnitZ()), b(-0.5, Vector3d::UnitZ());
  EXPECT_LT((c * ball.at_parent.rotation - b * ball.at_child.rotation).norm(), 1e-15);
  std::filesystem::remove_all(folder);
}

TEST(Urdf, AFixedJointMayHaveNoAxis) {
  EXPECT_EQ(import_error(robot(link("a") + link("b") +
                               joint("j", "fixed", "a", "b", "<axis xyz='0 0 0'/>"))),
            "no ModelError");
}

// The joint that closes a four-bar as Gazebo reads it is that of a second parent.
TEST(Urdf, JointsInGazeboCloseLoops) {
  const std::string tree = link("base") + link("a") + link("b") + link("c") +
                           joint("base_a", "continuous", "base", "a", "<axis xyz='0 0 1'/>") +
                           joint("a_b", "continuous", "a", "b",
                                 "<origin xyz='0 1 0' rpy='0.3 0 0.2'/><axis xyz='0 0 1'/>") +
                           joint("base_c", "continuous", "base", "c",
                                 "<origin xyz='2 0 0' rpy='0 0.4 0.1'/><axis xyz='0 0 1'/>");
  const auto closed =
      import_text(robot(tree + joint("b_c", "revolute", "b", "c",
                                     "<origin xyz='1 0 0.2' rpy='0 0.1 0'/><axis xyz='0 3 0'/>"
                                     "<dynamics damping='0.5'/><limit lower='-1' upper='2'/>")));
  auto gazebo = import_text(robot(
      tree +
      "<gazebo><joint name='b_c' type='revolute'><pose relative_to='b'>1 0 0.2 0 0.1 0</pose>"
      "<parent>b</parent><child>c</child><axis><xyz>0 3 0</xyz><dynamics><damping>0.5</damping>"
      "</dynamics><limit><lower>-1</lower><upper>2</upper></limit></axis></joint></gazebo>"));
  EXPECT_EQ(gazebo.log.warning_count(), 0U);
  EXPECT_EQ(gazebo.log.lines().at(1), "1 joint and 0 links in <gazebo> are read, as by Gazebo");
  const auto& own = joint_of(gazebo.mechanism, "b_c");
  const auto& other = joint_of(closed.mechanism, "b_c");
  EXPECT_EQ(own.parent, "b");
  EXPECT_EQ(own.child, "c");
  for (const auto frame : {&JointDescription::at_parent, &JointDescription::at_child}) {
    EXPECT_LT(((own.*frame).position - (other.*frame).position).norm(), 1e-15);
    EXPECT_LT(((own.*frame).rotation - (other.*frame).rotation).norm(), 1e-15);
  }
  ASSERT_NE(force_on<JointSpringDamper>(gazebo.mechanism, "b_c"), nullptr);
  EXPECT_EQ(force_on<JointSpringDamper>(gazebo.mechanism, "b_c")->damping, 0.5);
  EXPECT_EQ(force_on<JointLimits>(gazebo.mechanism, "b_c")->upper, 2.0);
}

TEST(Urdf, LinksInGazeboArePartOfTheRobot) {
  const std::string rod =
      "<link name='rod'><pose>1 2 3 0 0 0.5</pose><inertial><mass>4</mass></inertial></link>";
  const auto m =
      import_text(robot(link("a") + "<gazebo>" + rod +
                        "<joint name='j' type='ball'><parent>a</parent><child>rod</child></joint>"
                        "</gazebo>"))
          .mechanism;
  EXPECT_EQ(test::body_of(m, "rod").mass, 4.0);
  EXPECT_EQ(joint_of(m, "j").at_parent.position, Eigen::Vector3d(1, 2, 3));
  const auto floating = import_text(robot(link("a") + "<gazebo>" + rod + "</gazebo>")).mechanism;
  const auto free = std::ranges::find(floating.joints, "rod", &JointDescription::child);
  ASSERT_NE(free, floating.joints.end());
  EXPECT_EQ(free->guess_q->head(3), Eigen::Vector3d(1, 2, 3));
  EXPECT_NE(import_error(robot(link("a") + "\n<gazebo><joint name='j' type='ball'><parent>a"
                                           "</parent><child>b</child></joint></gazebo>"))
                .find("<joint name=\"j\">: child \"b\" is no frame here"),
            std::string::npos);
}

// A root that a joint in <gazebo> makes a child stays where it is, whichever body floats.
TEST(Urdf, ARobotThatGazeboClosesStaysAtItsRoot) {
  const auto at = "<origin xyz='0 0 5'/><axis xyz='0 0 1'/>";
  const auto m =
      import_text(robot(link("tip") + link("base") + joint("j", "continuous", "base", "tip", at) +
                        "<gazebo><joint name='k' type='revolute'><parent>tip</parent>"
                        "<child>base</child><axis><xyz>0 0 1</xyz></axis></joint>"
                        "</gazebo>"))
          .mechanism;
  const auto free = std::ranges::find(m.joints, JointType::kFree, &JointDescription::type);
  ASSERT_NE(free, m.joints.end());
  EXPECT_EQ((*free->guess_q)(2), free->child == "tip" ? 5.0 : 0.0);
}

// What Gazebo knows of links and joints is not simulated, and a line says so.
TEST(Urdf, WhatMovesInGazeboIsWarnedOf) {
  const auto log_with = [](const std::string& gazebo) {
    return import_text(
               "<robot name='r'><link name='a'><inertial><mass value='1'/>"
               "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
               "</link>" +
               gazebo + "</robot>")
        .log;
  };
  const std::string loop =
      "<gazebo reference='a'><joint name='closes' type='revolute'><parent>a</parent>"
      "<child>b</child></joint></gazebo>";
  const auto log = log_with(loop + loop);
  ASSERT_EQ(log.warning_count(), 1U);
  EXPECT_NE(log.lines()[0].find("<joint> in <gazebo> is not read; in Gazebo the robot moves "
                                "otherwise by it (and 1 more)"),
            std::string::npos)
      << log.lines()[0];
  for (const std::string moving :
       {"turnGravityOff>true<", "gravity>0<", "static>true<", "springStiffness>3<"}) {
    const auto name = moving.substr(0, moving.find('>'));
    const auto text = "<gazebo reference='a'><" + moving + "/" + name + "></gazebo>";
    EXPECT_EQ(log_with(text).warning_count(), 1U) << text;
  }
  EXPECT_EQ(log_with("<gazebo reference='a'><turnGravityOff>False</turnGravityOff><mu1>0.2</mu1>"
                     "<static>no</static><gravity>TRUE</gravity>"
                     "<material>Gazebo/Grey</material></gazebo>")
                .warning_count(),
            0U);
}

}  // namespace
}  // namespace hamiltree
