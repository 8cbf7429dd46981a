// Other values of parameters: what no description may have is refused, by the same checks.
#include "hamiltree/model/with_parameters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "model/two_bodies.hpp"

namespace hamiltree {
namespace {

using namespace test;

// What with_parameters says to one value, or to several.
std::string said(const Model& model, const std::vector<Parameter>& values) {
  try {
    with_parameters(model, values);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

Mechanism with_all_forces(SpaceKind space) {
  auto m = two_bodies(space);
  m.add(JointSpringDamper{"A", 1.0, 0.1, 0.2, {}});
  m.add(JointLimits{"A", -1.0, 1.0, 5.0, 0.1, {}, {}});
  m.add(JointFriction{"A", 1.0, 0.5, 0.1, {}});
  CurveSpring curve;
  curve.name = "curve";
  curve.joint = "A";
  curve.deflections = curve.efforts = {0.0, 1.0};
  m.add(curve);
  PointSpringDamper rope;
  rope.name = "rope";
  rope.points = {{"ground"}, {"b"}};
  rope.slack = 0.1;
  m.add(rope);
  Bushing bushing;
  bushing.name = "bushing";
  bushing.body_a = "a";
  bushing.body_b = "b";
  bushing.angle_stiffness = 1.0;
  bushing.turn_stiffness.z() = 1.0;
  m.add(bushing);
  Servo servo;
  servo.name = "servo";
  servo.joints = {"A"};
  servo.ratios = {1.0};
  servo.lower = -1.0;
  servo.upper = 1.0;
  m.add(servo);
  servo.name = "winch";
  servo.joints = {};
  servo.ratios = {};
  servo.points = {{"ground"}, {"b"}};
  m.add(servo);
  return m;
}

TEST(WithParameters, RefusesNumbersOfForcesThatNoDescriptionMayHave) {
  const Model model(with_all_forces(SpaceKind::kPlanar));
  for (const std::string name :
       {"spring.A.stiffness", "spring.A.damping", "lower.A.damping", "upper.A.damping",
        "friction.A.coulomb", "friction.A.viscous", "curve_spring.A.scale",
        "curve_spring.A.damping", "point_spring.0.stiffness", "point_spring.0.rest_length",
        "point_spring.0.damping", "point_spring.0.slack"}) {
    const auto key = name.substr(name.rfind('.') + 1);
    EXPECT_EQ(said(model, {{name, -2.0}}),
              "\"" + name + "\" = -2: " + key + " must not be negative, it is -2");
    EXPECT_EQ(said(model, {{name, 0.0}}), "nothing") << name;
  }
  for (const std::string name :
       {"lower.A.stiffness", "lower.A.transition", "upper.A.stiffness", "upper.A.transition"}) {
    const auto key = name.substr(name.rfind('.') + 1);
    EXPECT_EQ(said(model, {{name, 0.0}}),
              "\"" + name + "\" = 0: " + key + " must be positive, it is 0");
  }
  EXPECT_EQ(
      said(model, {{"friction.A.velocity_scale", 0.0}}),
      "\"friction.A.velocity_scale\" = 0: coulomb friction needs a velocity_scale above 0, it "
      "is 0");
  EXPECT_EQ(said(model, {{"bushing.0.stiffness.x", -1.0}}),
            "\"bushing.0.stiffness.x\" = -1: translational_stiffness must not be negative, it is "
            "-1");
  EXPECT_EQ(said(model, {{"upper.A.at", -3.0}}),
            "\"upper.A.at\" = -3: lower must be below upper, but -1 is not below -3");
  EXPECT_EQ(said(model, {{"lower.A.at", 1.0}}),
            "\"lower.A.at\" = 1: lower must be below upper, but 1 is not below 1");
  for (const std::string motor : {"servo.0", "rope_servo.0"}) {
    EXPECT_EQ(said(model, {{motor + ".lower", 2.0}, {motor + ".damping", 1.0}}),
              "\"" + motor + ".lower\" = 2, \"" + motor +
                  ".damping\" = 1: lower must not be above upper, but 2 is above 1");
  }
  // These may have either sign; ends of a way move together.
  for (const std::string name : {"spring.A.rest", "curve_spring.A.rest", "servo.0.stiffness",
                                 "servo.0.damping", "rope_servo.0.damping", "gravity.y"})
    EXPECT_EQ(said(model, {{name, -2.0}}), "nothing") << name;
  EXPECT_EQ(said(model, {{"lower.A.at", 2.0}, {"upper.A.at", 3.0}}), "nothing");
}

TEST(WithParameters, RefusesThemInSpace) {
  const Model model(with_all_forces(SpaceKind::kSpatial));
  const auto bushing = [&](const std::string& key, double value) {
    return said(model, {{"bushing.0." + key, value}});
  };
  for (const std::string axis : {"x", "y", "z"}) {
    for (const std::string key : {"rotational_stiffness", "rotational_damping", "turn_stiffness"}) {
      const auto name = key + "." + axis;
      EXPECT_EQ(bushing(name, -1.0),
                "\"bushing.0." + name + "\" = -1: " + key + " must not be negative, it is -1");
    }
    EXPECT_NE(bushing("damping." + axis, -1.0), "nothing");
    EXPECT_EQ(bushing("rest_turn." + axis, -1.0), "nothing");
  }
  EXPECT_NE(bushing("angle_stiffness", -1.0), "nothing");
}

}  // namespace
}  // namespace hamiltree
