// The words of MJCF, as the schema of MuJoCo 4 lists them, against the vocabulary: nothing of a
// file that follows it is unknown, so nothing is dropped without a word. What is not read is
// counted, warned of or refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hamiltree/io/import/mjcf/words.hpp"
#include "import_text.hpp"
#include "listed_words.hpp"
#include "mjcf_schema.hpp"

namespace hamiltree {
namespace {

using test::complaint;
using test::words_of;

TEST(MjcfWords, AllOfTheSchemaAreKnown) {
  for (const auto& one : test::kMjcfSchema) {
    EXPECT_EQ(complaint("mujoco", mjcf::words(), one), "");
    for (const auto& attribute : words_of(one.attributes)) {
      EXPECT_EQ(complaint("mujoco", mjcf::words(), one, attribute), "");
    }
  }
  for (const char* element : {"joint", "geom", "site", "freejoint"}) {
    EXPECT_NE(complaint("mujoco", mjcf::words(), {"worldbody body", element, ""}, "nonsense"), "");
  }
  EXPECT_NE(complaint("mujoco", mjcf::words(), {"worldbody", "nonsense", ""}), "");
}

// Elements that are read only by their name are refused by it.
TEST(MjcfWords, KindsThatAreNotSimulatedAreRefusedByName) {
  const auto error = [](const std::string& part, const std::string& in_body = "") {
    return test::import_error(
        "<mujoco><worldbody><body><joint name='a'/><geom size='1'/><site name='s'/>" + in_body +
        "</body></worldbody>" + part + "</mujoco>");
  };
  for (const std::string kind : {"muscle", "orientation", "pid", "dcmotor"}) {
    EXPECT_NE(error("<actuator><" + kind + " joint='a'/></actuator>").find("type " + kind),
              std::string::npos)
        << kind;
  }
  for (const std::string kind : {"composite", "flexcomp"}) {
    EXPECT_NE(error("", "<" + kind + "/>").find("<" + kind + ">"), std::string::npos);
  }
  for (const std::string kind : {"flex", "flexvert", "flexstrain", "distance"}) {
    EXPECT_NE(error("<equality><" + kind + "/></equality>").find("cannot be simulated"),
              std::string::npos)
        << kind;
  }
}

TEST(MjcfDefaults, OfTendonsAndEqualitiesAreThoseOfAllKinds) {
  const auto read = [](const std::string& defaults) {
    return test::import_text("<mujoco><default>" + defaults +
                             "</default><worldbody><body><joint name='a' type='slide'/>"
                             "<geom size='0.1'/></body></worldbody><tendon><fixed name='t'>"
                             "<joint joint='a' coef='1'/></fixed></tendon><equality>"
                             "<joint joint1='a'/></equality></mujoco>");
  };
  const auto held = read("<joint damping='0'/>");
  EXPECT_TRUE(held.mechanism.forces.empty());
  EXPECT_TRUE(test::joint_of(held.mechanism, "a").drive);
  const auto pulled = read("<tendon stiffness='7'/><equality active='false'/>");
  ASSERT_EQ(pulled.mechanism.forces.size(), 1U);
  EXPECT_EQ(std::get<Servo>(pulled.mechanism.forces[0]).stiffness, 7.0);
  EXPECT_FALSE(test::joint_of(pulled.mechanism, "a").drive);
}

TEST(MjcfTendon, WhatIsLeftOutIsNamed) {
  const auto warning = [](const std::string& tendon) {
    const auto log = test::import_text(
                         "<mujoco><worldbody><site name='p'/><site name='q'/><body><freejoint/>"
                         "<geom name='g' size='0.1'/><site name='r'/></body></worldbody><tendon>"
                         "<spatial " +
                         tendon + "</spatial></tendon></mujoco>")
                         .log;
    return log.warning_count() == 0 ? "" : log.lines().front();
  };
  const std::string ends = "<site site='p'/><site site='r'/>";
  const std::string wraps = "><site site='p'/><geom geom='g'/><site site='r'/>";
  EXPECT_EQ(warning("stiffness='3'>" + ends), "");
  for (const std::string what : {"stiffness='3'", "armature='2'"})
    EXPECT_NE(warning(what + wraps).find("wraps around"), std::string::npos) << what;
  EXPECT_EQ(warning("stiffness='3'><site site='q'/>" + ends), "");
  EXPECT_EQ(warning("range='0 1'>" + ends), "");
  EXPECT_NE(warning("armature='2'>" + ends).find("armature of a tendon"), std::string::npos);
}

// As hard as for the inertia behind them: of the rope 1 kg, of the pair 1 / (1 / 0.5 + 9 / 0.25).
TEST(MjcfTendon, HasStops) {
  const auto m =
      test::import_text(
          "<mujoco><compiler angle='radian'/><worldbody><site name='p'/><body name='b'><freejoint/>"
          "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><site name='r'/></body>"
          "<body><joint name='j'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0.5'/></body>"
          "<body><joint name='k'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0.25'/></body>"
          "</worldbody><tendon><spatial name='s' range='0.5 2'><site site='p'/><site site='r'/>"
          "</spatial><fixed name='f' range='-0.1 0.3'><joint joint='j' coef='1'/>"
          "<joint joint='k' coef='-3'/></fixed><fixed name='free' range='1 1'>"
          "<joint joint='j' coef='1'/><joint joint='k' coef='1'/></fixed></tendon></mujoco>")
          .mechanism;
  ASSERT_EQ(m.forces.size(), 2U);
  const auto& rope = std::get<TendonLimits>(m.forces[0]);
  EXPECT_EQ(rope.name, "s_range");
  EXPECT_EQ(rope.points.size(), 2U);
  EXPECT_EQ(rope.lower, 0.5);
  EXPECT_EQ(rope.upper, 2.0);
  EXPECT_DOUBLE_EQ(rope.stiffness, 2500.0);
  const auto& pair = std::get<TendonLimits>(m.forces[1]);
  EXPECT_EQ(pair.joints, (std::vector<std::string>{"j", "k"}));
  EXPECT_EQ(pair.ratios, (std::vector{1.0, -3.0}));
  EXPECT_DOUBLE_EQ(pair.stiffness, 2500.0 / 38.0);
  EXPECT_DOUBLE_EQ(pair.damping, 100.0 / 38.0);
}

TEST(MjcfTendon, OverSitesAndPulleysIsARope) {
  const auto read = [](const std::string& tendon, const std::string& actuator = "") {
    return test::import_text(
               "<mujoco><worldbody><site name='p'/><site name='q' pos='3 4 0'/>"
               "<body pos='0 0 1'><freejoint/><geom size='0.1'/><site name='r'/></body>"
               "</worldbody><tendon><spatial name='t' " +
               tendon + "</spatial></tendon><actuator>" + actuator + "</actuator></mujoco>")
        .mechanism;
  };
  const std::string path =
      "><site site='q'/><site site='p'/><pulley divisor='4'/><site site='p'/><site site='r'/>";
  const auto spring = [&](const std::string& rest) {
    return std::get<PointSpringDamper>(read(rest + path).forces.at(0));
  };
  const auto rope = spring("stiffness='3' damping='2'");
  ASSERT_EQ(rope.points.size(), 4U);
  EXPECT_EQ(rope.points[0].ratio, 1.0);
  EXPECT_EQ(rope.points[1].ratio, 0.0);
  EXPECT_EQ(rope.points[2].ratio, 0.25);
  EXPECT_EQ(rope.points[0].position, Eigen::Vector3d(3.0, 4.0, 0.0));
  EXPECT_EQ(rope.stiffness, 3.0);
  EXPECT_EQ(rope.damping, 2.0);
  EXPECT_EQ(rope.rest_length, 5.25);
  EXPECT_FALSE(rope.slack);
  EXPECT_EQ(spring("stiffness='3' springlength='2'").rest_length, 2.0);
  const auto loose = spring("stiffness='3' springlength='1 4'");
  EXPECT_EQ(loose.rest_length, 4.0);
  EXPECT_EQ(loose.slack, 3.0);

  const auto winch = std::get<Servo>(
      read("actuatorfrcrange='-2.5 7'" + path,
           "<general tendon='t' gear='-2' biastype='affine' biasprm='1 -4 -3' forcerange='-3 1'/>")
          .forces.at(0));
  EXPECT_EQ(winch.points.size(), 4U);
  EXPECT_EQ(winch.stiffness, 16.0);
  EXPECT_EQ(winch.damping, 12.0);
  EXPECT_EQ(winch.lower, -2.0);
  EXPECT_EQ(winch.upper, 5.0);
}

TEST(MjcfTendon, RefusesWhatIsNoRope) {
  const auto error = [](const std::string& inner, const std::string& actuator = "") {
    return test::import_error(
        "<mujoco><worldbody><site name='p'/><body><freejoint/>"
        "<geom name='g' size='0.1'/><site name='r'/></body></worldbody>"
        "<tendon><spatial name='t' stiffness='1' " +
        inner + "</spatial></tendon><actuator>" + actuator + "</actuator></mujoco>");
  };
  const std::string ends = "<site site='p'/><site site='r'/>";
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(error("><site site='p'/>"), "needs two sites or more");
  has(error("><site site='p'/><site site='x'/>"), "there is no site \"x\"");
  has(error(">" + ends + "<pulley divisor='0'/>" + ends), "divisor must be positive");
  has(error("springlength='2 1'>" + ends), "springlength must ascend");
  has(error("springlength=''>" + ends), "springlength must be one or two numbers");
  has(error("springlength='1 2 3'>" + ends), "springlength must be one or two numbers");
  has(error("><site site='p'/><geom geom='g'/><site site='r'/>", "<motor tendon='t'/>"),
      "pulls a tendon that wraps around a geom");
  has(error(">" + ends, "<motor tendon='u'/>"), "there is no tendon \"u\"");
  has(error(">" + ends, "<position tendon='t' dampratio='1'/>"), "has dampratio");
}

TEST(MjcfWords, ElementsThatAreNotReadAreCountedOrWarnedOf) {
  for (const char* element :
       {"asset", "contact", "sensor", "custom", "visual", "statistic", "size"}) {
    ImportLog log;
    const XmlDocument document("<mujoco><" + std::string(element) + "/></mujoco>", "m.xml", log);
    check_vocabulary(document.root(), mjcf::words(), log);
    ASSERT_EQ(log.lines().size(), 1U) << element;
    EXPECT_EQ(log.lines()[0], "not needed for the motion and ignored: 1 " + std::string(element));
  }
}

TEST(MjcfTendon, EqualitiesOfFixedOnesAreCouplings) {
  const auto read = [](const std::string& equality) {
    return test::import_text(
               "<mujoco><worldbody><body><joint name='a' type='slide' ref='0.5'/><geom size='0.1'/>"
               "</body><body><joint name='b' type='slide'/><geom size='0.1'/></body></worldbody>"
               "<tendon><fixed name='s'><joint joint='a' coef='2'/><joint joint='b' coef='-4'/>"
               "</fixed><fixed name='t'><joint joint='a' coef='2'/></fixed></tendon><equality>" +
               equality + "</equality></mujoco>")
        .mechanism;
  };
  // 2 a - 4 b = 1 + 0.2: the length at the start and the offset.
  const auto coupled = read("<tendon tendon1='s' polycoef='0.2'/>");
  ASSERT_EQ(coupled.couplings.size(), 1U);
  EXPECT_EQ(coupled.couplings[0].joint, "a");
  EXPECT_NEAR(coupled.couplings[0].ratio, 2.0, 1e-15);
  EXPECT_NEAR(coupled.couplings[0].offset, 0.6, 1e-15);
  // The first joint drops out of the difference, 4 b = 0 is left.
  EXPECT_TRUE(test::joint_of(read("<tendon tendon1='s' tendon2='t'/>"), "b").drive);
  EXPECT_THROW(read("<tendon tendon1='u'/>"), ModelError);
}

// 2 a - 1 = 0.2 + 0.5 (-4 b) + 3 (-4 b)^2: lengths count from the start.
TEST(MjcfTendon, EqualitiesOfTwoAlongACurveAreCouplingsOfTwoJoints) {
  const auto read = [](const std::string& more) {
    return test::import_text(
               "<mujoco><worldbody><body><joint name='a' type='slide' ref='0.5'/><geom size='0.1'/>"
               "</body><body><joint name='b' type='slide'/><geom size='0.1'/></body></worldbody>"
               "<tendon><fixed name='s'><joint joint='a' coef='2'/>" +
               more +
               "</fixed><fixed name='t'><joint joint='b' coef='-4'/></fixed></tendon>"
               "<equality><tendon tendon1='s' tendon2='t' polycoef='0.2 0.5 3'/></equality>"
               "</mujoco>")
        .mechanism;
  };
  const auto coupled = read("");
  ASSERT_EQ(coupled.couplings.size(), 1U);
  EXPECT_EQ(coupled.couplings[0].joint, "a");
  EXPECT_EQ(coupled.couplings[0].to, "b");
  EXPECT_NEAR(coupled.couplings[0].offset, 0.6, 1e-15);
  EXPECT_NEAR(coupled.couplings[0].ratio, -1.0, 1e-15);
  ASSERT_EQ(coupled.couplings[0].higher.size(), 1U);
  EXPECT_NEAR(coupled.couplings[0].higher[0], 24.0, 1e-13);
  EXPECT_THROW(read("<joint joint='b' coef='1'/>"), ModelError);
}

TEST(MjcfActuator, OfADisabledGroupIsOff) {
  const auto forces = [](const std::string& option) {
    return test::import_text("<mujoco>" + option +
                             "<worldbody><body><joint name='a' type='slide'/><geom size='0.1'/>"
                             "</body></worldbody><actuator><position joint='a' group='2'/>"
                             "</actuator></mujoco>")
        .mechanism.forces.size();
  };
  EXPECT_EQ(forces(""), 1U);
  EXPECT_EQ(forces("<option actuatorgroupdisable='1 2'/>"), 0U);
}

}  // namespace
}  // namespace hamiltree
