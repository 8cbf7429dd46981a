// Overrides of values of native files, as of --set.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "hamiltree/hamiltree.hpp"
#include "io/native_text.hpp"

namespace hamiltree {
namespace {

using namespace test;

TEST(NativeOverride, ChangesValuesByName) {
  const std::string text =
      kPlanar + kBody + kJoint + "initial = { q = 0.1 }\n" +
      "[[force]]\nname = \"motor\"\ntype = \"actuator\"\njoint = \"A\"\namplitude = 1\n";
  const Mechanism m = parse(text, {"body.b.mass=3.5", "joint.A.initial.q=0.5", "gravity=[0, -1]",
                                   "force.motor.amplitude = 3", "name=other"});
  EXPECT_EQ(m.bodies[0].mass, 3.5);
  EXPECT_EQ((*m.joints[0].initial_q)(0), 0.5);
  EXPECT_EQ(m.gravity, Eigen::Vector3d(0.0, -1.0, 0.0));
  EXPECT_EQ(std::get<Sine>(std::get<Actuator>(m.forces[0]).effort).amplitude, 3.0);
  EXPECT_EQ(m.name, "other");
}

TEST(NativeOverride, AddsWhatTheFileLeavesOut) {
  const Mechanism m =
      parse(kPlanar + kBody + kJoint, {"body.b.com=[1, 2]", "joint.A.initial.v=2",
                                       "joint.A.initial.q=1", "joint.A.spring={stiffness = 4}"});
  EXPECT_EQ(m.bodies[0].com, Eigen::Vector3d(1.0, 2.0, 0.0));
  EXPECT_EQ((*m.joints[0].initial_v)(0), 2.0);
  EXPECT_EQ((*m.joints[0].initial_q)(0), 1.0);
  EXPECT_EQ(std::get<JointSpringDamper>(m.forces[0]).stiffness, 4.0);
}

TEST(NativeOverride, ReachesEntriesOfLists) {
  const std::string text =
      kPlanar + kBody + "com = [0.1, 0.2]\n" + kJoint + "at_parent = { position = [1, 2] }\n";
  const Mechanism m =
      parse(text, {"body.b.com.1=0.7", "joint.A.at_parent.position.0 = 3", "gravity.1=-1.62"});
  EXPECT_EQ(m.bodies[0].com, Eigen::Vector3d(0.1, 0.7, 0.0));
  EXPECT_EQ(m.joints[0].at_parent.position, Eigen::Vector3d(3.0, 2.0, 0.0));
  EXPECT_EQ(m.gravity, Eigen::Vector3d(0.0, -1.62, 0.0));
  EXPECT_EQ(usage_error(text, {"body.b.com.2=1"}),
            "--set body.b.com.2=1: \"com\" is a list of 2, it has no entry \"2\"");
  EXPECT_EQ(usage_error(text, {"body.b.com.x=1"}),
            "--set body.b.com.x=1: \"com\" is a list of 2, it has no entry \"x\"");
  EXPECT_EQ(usage_error(text, {"body.b.com.0.1=1"}),
            "--set body.b.com.0.1=1: \"0\" is a value, it has no keys");
  EXPECT_EQ(usage_error(text, {"body.b.com.0=heavy"}),
            "--set body.b.com.0=heavy: body \"b\": com must be a number, not a string");
}

TEST(NativeOverride, ReachesTablesInLists) {
  const std::string text = kPlanar + kBody +
                           "[[force]]\nname = \"r\"\ntype = \"spring_damper\"\npoints = [{ body = "
                           "\"ground\" }, { body = \"b\", position = [1, 2] }]\n";
  const Mechanism m = parse(text, {"force.r.points.1.position.0=3", "force.r.points.0.ratio=2",
                                   "force.r.points.0.position=[4, 5]"});
  const auto& points = std::get<PointSpringDamper>(m.forces[0]).points;
  EXPECT_EQ(points[1].position, Eigen::Vector3d(3.0, 2.0, 0.0));
  EXPECT_EQ(points[0].position, Eigen::Vector3d(4.0, 5.0, 0.0));
  EXPECT_EQ(points[0].ratio, 2.0);
  EXPECT_EQ(usage_error(text, {"force.r.points.2.ratio=1"}),
            "--set force.r.points.2.ratio=1: \"points\" is a list of 2, it has no entry \"2\"");
  EXPECT_EQ(usage_error(text, {"force.r.points.1.ratoi=1"}),
            "--set force.r.points.1.ratoi=1: force \"r\": unknown key \"points[2].ratoi\", did you "
            "mean \"ratio\"?");
}

TEST(NativeOverride, LaterOnesWin) {
  EXPECT_EQ(parse(kPlanar + kBody, {"body.b.mass=3", "body.b.mass=4"}).bodies[0].mass, 4.0);
}

TEST(NativeOverride, AppliesBeforeRepeat) {
  const std::string body = "[[body]]\nname = \"link_{i}\"\nrepeat = 3\nmass = 1\ninertia = 1\n";
  const Mechanism m = parse(kPlanar + body, {"body.link_{i}.mass=7", "body.link_{i}.repeat=5"});
  ASSERT_EQ(m.bodies.size(), 5u);
  EXPECT_EQ(m.bodies[4].mass, 7.0);
  EXPECT_EQ(usage_error(kPlanar + body, {"body.link_2.mass=7"}),
            "--set body.link_2.mass=7: no body is named \"link_2\"; known names are link_{i}");
}

TEST(NativeOverride, QuotesNamesWithDots) {
  const std::string body = "[[body]]\nname = \"a.b\"\nmass = 1\ninertia = 1\n";
  EXPECT_EQ(parse(kPlanar + body, {"body.\"a.b\".mass=2"}).bodies[0].mass, 2.0);
}

TEST(NativeOverride, BareWordsAreStrings) {
  const Mechanism m =
      parse(kPlanar + kBody + kJoint, {"joint.A.type=prismatic", "joint.A.child=\"c\""});
  EXPECT_EQ(m.joints[0].type, JointType::kPrismatic);
  EXPECT_EQ(m.joints[0].child, "c");
}

TEST(NativeOverride, NamesThePartThatLeadsNowhere) {
  const std::string text = kPlanar + kBody + kJoint;
  EXPECT_EQ(usage_error(text, {"bodi.b.mass=2"}),
            "--set bodi.b.mass=2: nothing is called \"bodi\", did you mean \"body\"?");
  EXPECT_EQ(usage_error(text, {"joint.B1.initial.q=2"}),
            "--set joint.B1.initial.q=2: no joint is named \"B1\"; known names are A");
  EXPECT_EQ(usage_error(text, {"body.b.mas=2"}),
            "--set body.b.mas=2: body \"b\": unknown key \"mas\", did you mean \"mass\"?");
  EXPECT_EQ(usage_error(text, {"joint.A.inital.q=2"}),
            "--set joint.A.inital.q=2: joint \"A\": unknown key \"inital\", did you mean "
            "\"initial\"?");
  EXPECT_EQ(usage_error(text, {"joint.A.initial.qq=2"}),
            "--set joint.A.initial.qq=2: joint \"A\": unknown key \"initial.qq\"; known keys are "
            "q, v");
  EXPECT_EQ(usage_error(text, {"gravty=[0, 0]"}),
            "--set gravty=[0, 0]: unknown key \"gravty\", did you mean \"gravity\"?");
  EXPECT_EQ(usage_error(text, {"body.b.mass.x=2"}),
            "--set body.b.mass.x=2: \"mass\" is a value, it has no keys");
}

TEST(NativeOverride, RefusesWhatIsNoPathAndValue) {
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass"}), "--set body.b.mass: write path=value");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b=1"}),
            "--set body.b=1: write body.NAME.KEY=value");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body..mass=1"}),
            "--set body..mass=1: the path has an empty part");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass="}),
            "--set body.b.mass=: the value is missing");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass=[1"}),
            "--set body.b.mass=[1: \"[1\" is not a TOML value");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass=1\nx=2"}),
            "--set body.b.mass=1\nx=2: the value has two lines");
}

TEST(NativeOverride, RefusesValuesLikeTheFileDoes) {
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass=heavy"}),
            "--set body.b.mass=heavy: body \"b\": mass must be a number, not a string");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"body.b.mass=nan"}),
            "--set body.b.mass=nan: body \"b\": mass is not a number (nan)");
  EXPECT_EQ(usage_error(kPlanar + kBody, {"gravity=[1]"}),
            "--set gravity=[1]: gravity needs 2 numbers, has 1");
}

}  // namespace
}  // namespace hamiltree
