// Servos in native files: read, written and refused.
#include <gtest/gtest.h>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"

namespace hamiltree {
namespace {

// The message of the ModelError that the text must cause when it is compiled.
std::string compile_error(const std::string& text) {
  try {
    const Model model(parse_native(text, "m.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no ModelError";
}

const std::string kTwoPins =
    "format = 1\nspace = \"planar\"\ngravity = [0, 0]\n"
    "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n"
    "[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n"
    "[[joint]]\nname = \"A\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\n"
    "[[joint]]\nname = \"B\"\ntype = \"revolute\"\nparent = \"a\"\nchild = \"b\"\n"
    "[[force]]\nname = \"motor\"\ntype = \"servo\"\n";

const Servo& servo_of(const Mechanism& mechanism) {
  return std::get<Servo>(mechanism.forces.at(0));
}

TEST(Servos, AreReadAndWritten) {
  const std::string text = kTwoPins +
                           "joints = [\"A\", \"B\"]\nratios = [1.5, -2]\n"
                           "effort = { type = \"sine\", amplitude = 3.0, frequency = 2.0 }\n"
                           "stiffness = 4\ndamping = 0.5\nlower = -6\nupper = 7\n";
  const auto once = parse_native(text, "m.toml");
  for (const auto& mechanism : {once, parse_native(to_native(once), "again.toml")}) {
    const Servo& servo = servo_of(mechanism);
    EXPECT_EQ(servo.joints, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(servo.ratios, (std::vector<double>{1.5, -2.0}));
    EXPECT_EQ(std::get<Sine>(servo.effort).amplitude, 3.0);
    EXPECT_EQ(servo.stiffness, 4.0);
    EXPECT_EQ(servo.damping, 0.5);
    EXPECT_EQ(servo.lower, -6.0);
    EXPECT_EQ(servo.upper, 7.0);
  }
}

TEST(Servos, OnOneJointNeedNoRatio) {
  const auto mechanism = parse_native(kTwoPins + "joint = \"B\"\neffort = 2\n", "m.toml");
  EXPECT_EQ(servo_of(mechanism).joints, std::vector<std::string>{"B"});
  EXPECT_EQ(servo_of(mechanism).ratios, std::vector<double>{1.0});
  EXPECT_FALSE(servo_of(mechanism).lower);
  EXPECT_NE(to_native(mechanism).find("joint = \"B\""), std::string::npos);
}

TEST(Servos, AreRefused) {
  EXPECT_EQ(compile_error(kTwoPins + "joints = []\nratios = []\n"),
            "m.toml:22: force \"motor\": acts on no joint");
  EXPECT_EQ(compile_error(kTwoPins + "joints = [\"A\"]\nratios = [1, 2]\n"),
            "m.toml:22: force \"motor\": has 2 ratios for 1 joint");
  EXPECT_EQ(compile_error(kTwoPins + "joints = [\"A\", \"B\", \"A\"]\nratios = [1, 2, 1]\n"),
            "m.toml:22: force \"motor\": names joint \"A\" twice");
  EXPECT_EQ(compile_error(kTwoPins + "joint = \"A\"\nlower = 1\nupper = 0\n"),
            "m.toml:22: force \"motor\": lower must not be above upper, but 1 is above 0");
  EXPECT_EQ(compile_error(kTwoPins + "joints = [1]\nratios = [1]\n"),
            "m.toml:25: force \"motor\": joints must be a string, not a whole number");
  EXPECT_EQ(compile_error(kTwoPins + "joint = \"C\"\n").substr(0, 28),
            "m.toml:22: force \"motor\": jo");
}

}  // namespace
}  // namespace hamiltree
