// The native format: joints that screw, swing or slide in a slot, what moves by itself, couplings
// and reactions.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"
#include "io/native_text.hpp"

namespace hamiltree {
namespace {

using namespace test;

const std::string kHelical = joint_of_type("helical");
const std::string kUniversal = joint_of_type("universal");
const std::string kPinInSlot = joint_of_type("pin_in_slot");

// The only joint of `text`.
JointDescription joint_of(const std::string& text) { return parse(text).joints.at(0); }

template <class Function>
Function drive_of(const std::string& keys) {
  return std::get<Function>(*joint_of(kPlanar + kJoint + "drive = { " + keys + " }\n").drive);
}

// ---- Types

TEST(NativeJoint, TypesExistInTheirSpace) {
  EXPECT_EQ(joint_of(kSpatial + kHelical + "pitch = 0.01\n").type, JointType::kHelical);
  EXPECT_EQ(joint_of(kSpatial + kUniversal).type, JointType::kUniversal);
  EXPECT_EQ(joint_of(kPlanar + kPinInSlot).type, JointType::kPinInSlot);
  EXPECT_EQ(model_error(kPlanar + kHelical),
            "m.toml:6: joint \"A\": a helical joint needs space = \"spatial\"");
  EXPECT_EQ(model_error(kPlanar + kUniversal),
            "m.toml:6: joint \"A\": a universal joint needs space = \"spatial\"");
  EXPECT_EQ(joint_of(kSpatial + kPinInSlot).type, JointType::kPinInSlot);
}

TEST(NativeJoint, HelicalOnesHaveAPitch) {
  EXPECT_EQ(joint_of(kSpatial + kHelical + "pitch = -0.004\n").pitch, -0.004);
  EXPECT_EQ(model_error(kSpatial + kHelical), "m.toml:4: joint \"A\": pitch is missing");
  EXPECT_EQ(model_error(kSpatial + kJoint + "pitch = 0.01\n"),
            "m.toml:9: joint \"A\": a revolute joint has no pitch");
}

TEST(NativeJoint, SaysWhetherItIsCut) {
  EXPECT_FALSE(joint_of(kPlanar + kJoint).cut);
  EXPECT_EQ(joint_of(kPlanar + kJoint + "cut = true\n").cut, true);
  EXPECT_EQ(joint_of(kPlanar + kJoint + "cut = false\n").cut, false);
  EXPECT_EQ(model_error(kPlanar + kJoint + "cut = 1\n"),
            "m.toml:9: joint \"A\": cut must be true or false, not a whole number");
  for (const std::string cut : {"cut = true\n", "cut = false\n"}) {
    const auto written = to_native(parse(kPlanar + kJoint + cut));
    EXPECT_NE(written.find(cut), std::string::npos) << written;
  }
}

TEST(NativeJoint, BranchIsTheNumberOfAMotion) {
  EXPECT_FALSE(joint_of(kPlanar + kJoint).branch);
  EXPECT_EQ(joint_of(kPlanar + kJoint + "branch = 2\n").branch, 2);
  for (const std::string number : {"0", "-1", "1000000"}) {
    EXPECT_EQ(
        model_error(kPlanar + kJoint + "branch = " + number + "\n"),
        "m.toml:9: joint \"A\": branch must be the number of a motion, from 1 on, it is " + number);
  }
  EXPECT_EQ(model_error(kPlanar + kJoint + "branch = 1.5\n"),
            "m.toml:9: joint \"A\": branch must be a whole number, not a number");
  const auto written = to_native(parse(kPlanar + kJoint + "branch = 2\n"));
  EXPECT_NE(written.find("branch = 2\n"), std::string::npos) << written;
  EXPECT_EQ(parse(written).joints.front().branch, 2);
}

TEST(NativeJoint, AxisTurnsAScrew) {
  const auto joint = joint_of(kSpatial + kHelical + "pitch = 1\naxis = [0, 2, 0]\n");
  EXPECT_TRUE(joint.at_parent.rotation.col(2).isApprox(Eigen::Vector3d::UnitY(), 1e-15));
  EXPECT_EQ(joint.at_child.rotation, joint.at_parent.rotation);
}

TEST(NativeJoint, AxisTurnsASlot) {
  const auto joint = joint_of(kPlanar + kPinInSlot + "axis = [0.0, 3.0]\n");
  const Eigen::Matrix3d quarter =
      Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_TRUE(joint.at_parent.rotation.isApprox(quarter, 1e-15));
  EXPECT_EQ(joint.at_child.rotation, joint.at_parent.rotation);
}

TEST(NativeJoint, JointsWithTwoAxesHaveNone) {
  EXPECT_EQ(model_error(kSpatial + kUniversal + "axis = [1.0, 0.0, 0.0]\n"),
            "m.toml:9: joint \"A\": a universal joint has no axis");
  EXPECT_EQ(model_error(kSpatial + kPinInSlot + "axis = [1.0, 0.0, 0.0]\n"),
            "m.toml:9: joint \"A\": a pin_in_slot joint has no axis");
}

TEST(NativeJoint, TwoCoordinatesAreAnArray) {
  const auto joint = joint_of(kSpatial + kUniversal +
                              "initial = { q = [1, 2], v = [3, 4] }\nguess = { q = [5, 6] }\n");
  EXPECT_EQ(*joint.initial_q, Eigen::Vector2d(1.0, 2.0));
  EXPECT_EQ(*joint.initial_v, Eigen::Vector2d(3.0, 4.0));
  EXPECT_EQ(*joint.guess_q, Eigen::Vector2d(5.0, 6.0));
  EXPECT_EQ(model_error(kPlanar + kPinInSlot + "initial = { q = 1 }\n"),
            "m.toml:9: joint \"A\": initial.q must be an array of numbers, not a whole number");
}

// ---- Functions of time

TEST(NativeDrive, ReadsEveryFunction) {
  EXPECT_EQ(drive_of<Polynomial>("type = \"polynomial\", coefficients = [1, 0, -2.5]").coefficients,
            (std::vector{1.0, 0.0, -2.5}));
  const auto sine =
      drive_of<Sine>("type = \"sine\", constant = 1, amplitude = 2, frequency = 3, phase = 4");
  EXPECT_EQ(sine.constant, 1.0);
  EXPECT_EQ(sine.amplitude, 2.0);
  EXPECT_EQ(sine.frequency, 3.0);
  EXPECT_EQ(sine.phase, 4.0);
  const auto step =
      drive_of<SmoothStep>("type = \"smooth_step\", from = 1, to = 2, start = 3, duration = 4");
  EXPECT_EQ(step.from, 1.0);
  EXPECT_EQ(step.to, 2.0);
  EXPECT_EQ(step.start, 3.0);
  EXPECT_EQ(step.duration, 4.0);
  const auto table = drive_of<Table>(
      "type = \"table\", times = [0, 1], values = [2, 3], start_rate = 4, end_rate = 5");
  EXPECT_EQ(table.times, (std::vector{0.0, 1.0}));
  EXPECT_EQ(table.values, (std::vector{2.0, 3.0}));
  EXPECT_EQ(table.start_rate, 4.0);
  EXPECT_EQ(table.end_rate, 5.0);
}

TEST(NativeDrive, MostKeysHaveZeroAsDefault) {
  const auto sine = drive_of<Sine>("type = \"sine\"");
  EXPECT_EQ(sine.constant, 0.0);
  EXPECT_EQ(sine.amplitude, 0.0);
  EXPECT_EQ(sine.frequency, 0.0);
  EXPECT_EQ(sine.phase, 0.0);
  const auto step = drive_of<SmoothStep>("type = \"smooth_step\", to = 2, duration = 4");
  EXPECT_EQ(step.from, 0.0);
  EXPECT_EQ(step.start, 0.0);
  const auto table = drive_of<Table>("type = \"table\", times = [0, 1], values = [2, 3]");
  EXPECT_EQ(table.start_rate, 0.0);
  EXPECT_EQ(table.end_rate, 0.0);
  EXPECT_FALSE(joint_of(kPlanar + kJoint).drive);
}

TEST(NativeDrive, IsATableOfItsOwnToo) {
  const auto joint = joint_of(kPlanar + kJoint + "[joint.drive]\ntype = \"sine\"\nphase = 1\n");
  EXPECT_EQ(std::get<Sine>(*joint.drive).phase, 1.0);
}

TEST(NativeDrive, RefusesWhatIsNoFunction) {
  const auto error = [](const std::string& value) {
    return model_error(kPlanar + kJoint + "drive = " + value + "\n");
  };
  const std::string prefix = "m.toml:9: joint \"A\": ";
  EXPECT_EQ(error("2"), prefix + "drive must be a table, not a whole number");
  EXPECT_EQ(error("{}"), prefix + "drive.type is missing");
  EXPECT_EQ(error("{ type = \"cubic\" }"),
            prefix +
                "unknown drive.type \"cubic\"; known types are polynomial, sine, "
                "smooth_step, table");
  EXPECT_EQ(error("{ type = \"sin\" }"),
            prefix + "unknown drive.type \"sin\", did you mean \"sine\"?");
  EXPECT_EQ(error("{ type = \"polynomial\" }"), prefix + "drive.coefficients is missing");
  EXPECT_EQ(error("{ type = \"polynomial\", coefficients = 1 }"),
            prefix + "drive.coefficients must be an array of numbers, not a whole number");
  EXPECT_EQ(error("{ type = \"polynomial\", coefficients = [nan] }"),
            prefix + "drive.coefficients is not a number (nan)");
  EXPECT_EQ(error("{ type = \"smooth_step\", duration = 1 }"), prefix + "drive.to is missing");
  EXPECT_EQ(error("{ type = \"smooth_step\", to = 1 }"), prefix + "drive.duration is missing");
  EXPECT_EQ(error("{ type = \"table\", values = [] }"), prefix + "drive.times is missing");
  EXPECT_EQ(error("{ type = \"table\", times = [] }"), prefix + "drive.values is missing");
  EXPECT_EQ(error("{ type = \"sine\", amplitud = 1 }"),
            prefix + "unknown key \"drive.amplitud\", did you mean \"amplitude\"?");
}

TEST(NativeParentMotion, ReadsEachPart) {
  const auto motion = *joint_of(kSpatial + kJoint +
                                "[joint.parent_motion]\n"
                                "x = { type = \"sine\", phase = 1 }\n"
                                "y = { type = \"sine\", phase = 2 }\n"
                                "z = { type = \"sine\", phase = 3 }\n"
                                "rx = { type = \"sine\", phase = 4 }\n"
                                "ry = { type = \"sine\", phase = 5 }\n"
                                "rz = { type = \"sine\", phase = 6 }\n")
                           .parent_motion;
  double phase = 0.0;
  for (const auto& part : {motion.x, motion.y, motion.z, motion.rx, motion.ry, motion.rz}) {
    ASSERT_TRUE(part);
    EXPECT_EQ(std::get<Sine>(*part).phase, ++phase);
  }
  EXPECT_FALSE(joint_of(kSpatial + kJoint).parent_motion);
}

TEST(NativeParentMotion, LeavesOutWhatStandsStill) {
  const auto motion =
      *joint_of(kPlanar + kJoint + "parent_motion = { rz = { type = \"sine\" } }\n").parent_motion;
  EXPECT_FALSE(motion.x);
  EXPECT_FALSE(motion.y);
  EXPECT_TRUE(motion.rz);
}

TEST(NativeParentMotion, StaysInThePlane) {
  EXPECT_EQ(model_error(kPlanar + kJoint + "parent_motion = { rx = { type = \"sine\" } }\n"),
            "m.toml:9: joint \"A\": unknown key \"parent_motion.rx\"; known keys are x, y, rz");
  EXPECT_EQ(
      model_error(kPlanar + kJoint + "parent_motion = { x = { type = \"cosine\" } }\n"),
      "m.toml:9: joint \"A\": unknown parent_motion.x.type \"cosine\", did you mean \"sine\"?");
}

// ---- Couplings and reactions

const std::string kGear = "[[coupling]]\nname = \"gear\"\njoint = \"B\"\nto = \"A\"\n";

TEST(NativeCoupling, ReadsAllKeys) {
  const Mechanism m = parse(kPlanar + kGear + "ratio = -2\noffset = 0.5\n");
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.couplings[0].name, "gear");
  EXPECT_EQ(m.couplings[0].joint, "B");
  EXPECT_EQ(m.couplings[0].to, "A");
  EXPECT_EQ(m.couplings[0].ratio, -2.0);
  EXPECT_EQ(m.couplings[0].offset, 0.5);
  EXPECT_EQ(m.couplings[0].where.line, 4);
  EXPECT_EQ(parse(kPlanar + kGear + "ratio = 1\n").couplings[0].offset, 0.0);
}

TEST(NativeCoupling, FollowsAPolynomial) {
  const auto cam = parse(kPlanar + kGear + "polynomial = [0.5, 0.0, 2.0, 0.0, -1.0, 0.0]\n");
  EXPECT_EQ(cam.couplings[0].offset, 0.5);
  EXPECT_EQ(cam.couplings[0].ratio, 0.0);
  EXPECT_EQ(cam.couplings[0].higher, (std::vector<double>{2.0, 0.0, -1.0}));
  const auto line = parse(kPlanar + kGear + "polynomial = [0.5, -2]\n");
  EXPECT_EQ(line.couplings[0].ratio, -2.0);
  EXPECT_TRUE(line.couplings[0].higher.empty());
  EXPECT_EQ(model_error(kPlanar + kGear + "polynomial = [0.5]\n"),
            "m.toml:8: coupling \"gear\": polynomial must have two numbers or more");
  EXPECT_EQ(model_error(kPlanar + kGear + "polynomial = [0.5, 1]\nratio = 1\n"),
            "m.toml:8: coupling \"gear\": \"ratio\" and \"polynomial\" exclude each other");
  EXPECT_EQ(model_error(kPlanar + kGear + "polynomial = [0.5, 1]\noffset = 1\n"),
            "m.toml:8: coupling \"gear\": \"offset\" and \"polynomial\" exclude each other");
}

TEST(NativeCoupling, RefusesWhatIsWrong) {
  EXPECT_EQ(model_error(kPlanar + kGear), "m.toml:4: coupling \"gear\": ratio is missing");
  EXPECT_EQ(model_error(kPlanar + "[[coupling]]\nname = \"gear\"\njoint = \"B\"\n"),
            "m.toml:4: coupling \"gear\": to is missing");
  EXPECT_EQ(model_error(kPlanar + kGear + "ratoi = 1\nratio = 1\n"),
            "m.toml:8: coupling \"gear\": unknown key \"ratoi\", did you mean \"ratio\"?");
  EXPECT_EQ(model_error(kPlanar + "[coupling]\nname = \"gear\"\n"),
            "m.toml:4: coupling must be written as [[coupling]]");
}

TEST(NativeSensor, ReadsReactions) {
  const Mechanism m =
      parse(kPlanar + "[[sensor]]\nname = \"s\"\ntype = \"reaction\"\njoint = \"A\"\n");
  const auto& sensor = std::get<ReactionSensor>(m.sensors.at(0));
  EXPECT_EQ(sensor.name, "s");
  EXPECT_EQ(sensor.joint, "A");
  EXPECT_EQ(sensor.where.line, 4);
}

// ---- repeat and overrides

TEST(NativeRepeat, CopiesCouplingsAndDrives) {
  const Mechanism m = parse(kPlanar +
                            "[[joint]]\nname = \"pin_{i}\"\nrepeat = 2\ntype = \"revolute\"\n"
                            "parent = \"ground\"\nchild = \"link_{i}\"\n"
                            "drive = { type = \"sine\", phase = 0.3 }\n"
                            "[[coupling]]\nname = \"belt_{i}\"\nrepeat = 3\njoint = \"pin_{i+1}\"\n"
                            "to = \"pin_{i}\"\nratio = 1\n");
  ASSERT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(std::get<Sine>(*m.joints[1].drive).phase, 0.3);
  ASSERT_EQ(m.couplings.size(), 3u);
  EXPECT_EQ(m.couplings[2].name, "belt_3");
  EXPECT_EQ(m.couplings[2].joint, "pin_4");
  EXPECT_EQ(m.couplings[2].to, "pin_3");
}

TEST(NativeOverride, ReachesIntoFunctionsAndCouplings) {
  const std::string text = kPlanar + kJoint + "drive = { type = \"sine\", amplitude = 1 }\n" +
                           "parent_motion = { x = { type = \"sine\" } }\n" + kGear + "ratio = 1\n";
  const Mechanism m =
      parse(text, {"joint.A.drive.amplitude=0.2", "joint.A.drive.phase=0.1",
                   "joint.A.parent_motion.x.frequency=3", "coupling.gear.ratio=-4"});
  EXPECT_EQ(std::get<Sine>(*m.joints[0].drive).amplitude, 0.2);
  EXPECT_EQ(std::get<Sine>(*m.joints[0].drive).phase, 0.1);
  EXPECT_EQ(std::get<Sine>(*m.joints[0].parent_motion->x).frequency, 3.0);
  EXPECT_EQ(m.couplings[0].ratio, -4.0);
  EXPECT_EQ(usage_error(text, {"coupling.geer.ratio=1"}),
            "--set coupling.geer.ratio=1: no coupling is named \"geer\", did you mean \"gear\"?");
  EXPECT_EQ(usage_error(text, {"joint.A.drive.type=cosine"}),
            "--set joint.A.drive.type=cosine: joint \"A\": unknown drive.type \"cosine\", did you "
            "mean \"sine\"?");
}

}  // namespace
}  // namespace hamiltree
