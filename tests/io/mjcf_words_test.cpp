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
                         "<spatial stiffness='3' " +
                         tendon + "</spatial></tendon></mujoco>")
                         .log;
    return log.warning_count() == 0 ? "" : log.lines().front();
  };
  const std::string ends = "<site site='p'/><site site='r'/>";
  EXPECT_EQ(warning(">" + ends), "");
  EXPECT_NE(warning("><site site='p'/><geom geom='g'/><site site='r'/>").find("wraps around"),
            std::string::npos);
  EXPECT_NE(warning("><site site='q'/>" + ends).find("more than two sites"), std::string::npos);
  EXPECT_NE(warning(">" + ends + "<pulley divisor='2'/>" + ends).find("pulley"), std::string::npos);
  EXPECT_NE(warning("springlength='0 1'>" + ends).find("range of lengths"), std::string::npos);
}

TEST(MjcfWords, ElementsThatAreNotReadAreCountedOrWarnedOf) {
  for (const char* element : {"asset", "contact", "sensor", "custom", "visual", "statistic", "size",
                              "extension", "deformable"}) {
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
