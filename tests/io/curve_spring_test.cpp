// Springs with a characteristic curve in native files: read, written and refused.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"

namespace hamiltree {
namespace {

const std::string kSpring =
    "format = 1\nspace = \"planar\"\ngravity = [0, 0]\n"
    "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n"
    "[[joint]]\nname = \"A\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"a\"\n"
    "[[force]]\nname = \"mount\"\ntype = \"curve_spring\"\n";

std::string refusal(const std::string& text) {
  try {
    const Model model(parse_native(kSpring + text, "m.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no ModelError";
}

TEST(CurveSprings, AreReadAndWritten) {
  const std::string curve = "joint = \"A\"\ndeflections = [-1, 0, 2]\nefforts = [-3, 0.5, 7]\n";
  const auto usual = std::get<CurveSpring>(parse_native(kSpring + curve, "m.toml").forces.at(0));
  EXPECT_EQ(usual.scale, 1.0);
  EXPECT_EQ(usual.rest, 0.0);
  EXPECT_EQ(usual.damping, 0.0);
  // A scale of zero is not the usual one, and one is not written.
  for (const std::string scale : {"0.0", "1.0", "2.5"}) {
    const auto once = parse_native(
        kSpring + curve + "scale = " + scale + "\nrest = 0.25\ndamping = 0.5\n", "m.toml");
    const std::string written = to_native(once);
    EXPECT_EQ(written.find("scale") == std::string::npos, scale == "1.0");
    const auto again = parse_native(written, "again.toml");
    for (const auto* mechanism : {&once, &again}) {
      const auto& spring = std::get<CurveSpring>(mechanism->forces.at(0));
      EXPECT_EQ(spring.name, "mount");
      EXPECT_EQ(spring.joint, "A");
      EXPECT_EQ(spring.deflections, (std::vector<double>{-1.0, 0.0, 2.0}));
      EXPECT_EQ(spring.efforts, (std::vector<double>{-3.0, 0.5, 7.0}));
      EXPECT_EQ(spring.scale, parse_number(scale));
      EXPECT_EQ(spring.rest, 0.25);
      EXPECT_EQ(spring.damping, 0.5);
    }
  }
}

TEST(CurveSprings, AreRefused) {
  const std::string at = "m.toml:13: force \"mount\": ";
  const std::string joint = "joint = \"A\"\n";
  EXPECT_EQ(refusal(joint + "deflections = [1]\nefforts = [2]\n"),
            at + "needs two deflections or more, it has 1");
  EXPECT_EQ(refusal(joint + "deflections = [1, 2]\nefforts = [2]\n"),
            at + "has 1 efforts for 2 deflections");
  EXPECT_EQ(refusal(joint + "deflections = [1, 2, 2]\nefforts = [2, 3, 4]\n"),
            at + "deflections must ascend, but 2 is followed by 2");
  EXPECT_EQ(refusal(joint + "deflections = [1, 2]\nefforts = [2, 3]\nscale = -1\n"),
            at + "scale must not be negative, it is -1");
  EXPECT_EQ(refusal(joint + "deflections = [1, 2]\n"), at + "efforts is missing");
  EXPECT_EQ(refusal("joint = \"B\"\ndeflections = [1, 2]\nefforts = [2, 3]\n"),
            at + "joint \"B\" is not a joint of this mechanism");

  auto mechanism = parse_native(kSpring + joint + "deflections = [1, 2]\nefforts = [2, 3]\n", "m");
  std::get<CurveSpring>(mechanism.forces.at(0)).efforts[1] =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Model{mechanism}, ModelError);
}

}  // namespace
}  // namespace hamiltree
