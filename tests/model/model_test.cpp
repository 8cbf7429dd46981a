// From Mechanism to Model: every refusal with its message, the choice of the spanning tree, names.
#include "hamiltree/model/model.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/model/joints/joints.hpp"
#include "model/two_bodies.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using namespace test;

// ---- Refusals

std::string of_mechanism(const std::function<void(Mechanism&)>& change) {
  auto m = two_bodies();
  change(m);
  return refusal(m, "mechanism", 1);
}

std::string of_body(const std::function<void(BodyDescription&)>& change,
                    SpaceKind space = SpaceKind::kPlanar) {
  auto m = two_bodies(space);
  change(m.bodies[1]);
  return refusal(m, m.bodies[1].name.empty() ? "body" : "body \"" + m.bodies[1].name + "\"", 10);
}

std::string refusal_of_joint(const std::function<void(JointDescription&)>& change,
                             SpaceKind space = SpaceKind::kPlanar) {
  auto m = two_bodies(space);
  change(m.joints[1]);
  return refusal(m, m.joints[1].name.empty() ? "joint" : "joint \"" + m.joints[1].name + "\"", 20);
}

template <class Force>
std::string of_force(const Force& force, const std::string& element) {
  auto m = two_bodies();
  m.joints[1].type = JointType::kFree;
  m.add(ForceDescription(force));
  return refusal(m, element, 30);
}

std::string of_sensor(const SensorDescription& sensor, const std::string& element) {
  auto m = two_bodies();
  m.add(sensor);
  return refusal(m, element, 40);
}

TEST(Refusals, NothingIsWrongWithTheSample) {
  EXPECT_NO_THROW(Model{two_bodies()});
  EXPECT_NO_THROW(Model{two_bodies(SpaceKind::kSpatial)});
  EXPECT_NO_THROW((Model{two_bodies(SpaceKind::kPlanar, true)}));
}

TEST(Refusals, OfTheMechanism) {
  EXPECT_EQ(of_mechanism([](auto& m) { m.bodies.clear(); }),
            "has no body: nothing in it has mass and is free to move");
  EXPECT_EQ(of_mechanism([](auto& m) { m.gravity(1) = kNaN; }),
            "a number of gravity is not finite");
  EXPECT_EQ(of_mechanism([](auto& m) { m.name = "a\nb"; }), "the name has a line break");
  EXPECT_EQ(of_mechanism([](auto& m) { m.name = "a\tb"; }), "the name has a control character");
}

TEST(Refusals, OfNames) {
  EXPECT_EQ(of_body([](auto& b) { b.name = ""; }), "the name is missing");
  EXPECT_EQ(of_body([](auto& b) { b.name = "ground"; }),
            "the name is reserved for the ground itself");
  auto m = two_bodies();
  m.bodies[1].name = "b\nc";  // which a message of one line cannot repeat
  EXPECT_EQ(refusal(m, "body", 10), "the name has a line break");
  m.bodies[1].name = "b\x01";  // which no XML can hold
  EXPECT_EQ(refusal(m, "body", 10), "the name has a control character");
  EXPECT_EQ(of_body([](auto& b) { b.name = "a"; }), "another body has this name already");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.name = ""; }), "the name is missing");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.name = "A"; }), "another joint has this name already");
}

TEST(Refusals, OfMasses) {
  EXPECT_EQ(of_body([](auto& b) { b.mass = -2.5; }), "mass must not be negative, it is -2.5");
  EXPECT_EQ(of_body([](auto& b) { b.mass = kNaN; }), "mass is not a finite number");
  EXPECT_EQ(of_body([](auto& b) { b.mass = kInfinity; }), "mass is not a finite number");
  EXPECT_EQ(of_body([](auto& b) { b.com(0) = kNaN; }), "a number of com is not finite");
}

TEST(Refusals, OfPlanarInertias) {
  EXPECT_EQ(of_body([](auto& b) { b.inertia(2, 2) = -1.0; }),
            "inertia must not be negative, it is -1");
  EXPECT_EQ(of_body([](auto& b) { b.inertia(2, 2) = kNaN; }), "a number of inertia is not finite");
}

TEST(Refusals, OfSpatialInertias) {
  const auto with = [](double xx, double yy, double zz, double xy = 0.0) {
    return of_body(
        [&](auto& b) {
          b.inertia = Eigen::Vector3d(xx, yy, zz).asDiagonal();
          b.inertia(0, 1) = b.inertia(1, 0) = xy;
        },
        SpaceKind::kSpatial);
  };
  EXPECT_EQ(
      with(1.0, 1.0, 3.0),
      "inertia breaks the triangle inequality: of its principal moments, 1 and 1 together are "
      "less than 3");
  EXPECT_EQ(with(1.0, 1.0, 2.0), "no ModelError");  // a thin plate
  EXPECT_EQ(with(-1.0, 1.0, 1.0),
            "inertia must not have negative principal moments, the smallest is -1");
  EXPECT_EQ(with(-1.0, -1.0, -1.0),
            "inertia must not have negative principal moments, the smallest is -1");
  // Positive entries, but moments 1 +- 2.
  EXPECT_TRUE(with(1.0, 1.0, 2.0, 2.0).starts_with("inertia must not have negative"));
  // The principal moments count, not the entries: here 1, 1.2 and 2.8.
  EXPECT_TRUE(with(2.0, 2.0, 1.0, 0.8).starts_with("inertia breaks the triangle inequality"));
  EXPECT_EQ(of_body([](auto& b) { b.inertia(0, 1) = 0.1; }, SpaceKind::kSpatial),
            "inertia is not symmetric");
}

TEST(Refusals, OfJointEnds) {
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.parent = "c"; }),
            "parent \"c\" is not a body of this mechanism");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.child = "c"; }),
            "child \"c\" is not a body of this mechanism");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.child = "a"; }), "connects \"a\" to itself");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.parent = j.child = "ground"; }),
            "connects \"ground\" to itself");
}

TEST(Refusals, OfJointTypesThatAreNone) {
  for (const int type : {-1, 99}) {
    EXPECT_EQ(refusal_of_joint([&](auto& j) { j.type = static_cast<JointType>(type); }),
              "type " + std::to_string(type) + " is no JointType");
  }
}

TEST(Refusals, OfJointFrames) {
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.at_parent.position(0) = kNaN; }),
            "a number of at_parent is not finite");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.at_child.rotation(0, 0) = kInfinity; }),
            "a number of at_child is not finite");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.at_child.rotation *= 2.0; }),
            "the axes of at_child are not orthonormal and right-handed");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.at_parent.rotation(2, 2) = -1.0; }),
            "the axes of at_parent are not orthonormal and right-handed");
  const auto tilt = [](auto& j) {
    j.at_parent.rotation = Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()).toRotationMatrix();
  };
  EXPECT_EQ(refusal_of_joint(tilt), "the axes of at_parent are turned out of the plane");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.at_parent.position.z() = 0.5; }),
            "at_parent leaves the plane: z is 0.5");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.type = JointType::kSpherical; }),
            "a spherical joint needs a spatial mechanism");
  EXPECT_EQ(refusal_of_joint(tilt, SpaceKind::kSpatial), "no ModelError");
}

TEST(Refusals, OfInitialValues) {
  EXPECT_EQ(refusal_of_joint([](auto& j) {
              j.initial_q = values({1.0, 2.0});
            }),
            "initial.q of a revolute joint needs 1 number, has 2");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.guess_q = values({}); }),
            "guess.q of a revolute joint needs 1 number, has 0");
  EXPECT_EQ(refusal_of_joint([](auto& j) {
              j.initial_v = values({1.0, 2.0, 3.0});
            }),
            "initial.v of a revolute joint needs 1 number, has 3");
  EXPECT_EQ(refusal_of_joint([](auto& j) { j.initial_q = values({kNaN}); }),
            "a number of initial.q is not finite");
  const auto floats = [](std::initializer_list<double> q) {
    return refusal_of_joint(
        [&](auto& j) {
          j.type = JointType::kFree;
          j.initial_q = values(q);
        },
        SpaceKind::kSpatial);
  };
  EXPECT_EQ(floats({1.0}), "initial.q of a free joint needs 7 numbers, has 1");
  EXPECT_EQ(floats({1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0}),
            "the quaternion in initial.q has length 0, not 1");
  EXPECT_EQ(floats({1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 2.0}),
            "the quaternion in initial.q has length 2, not 1");
  EXPECT_EQ(floats({1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0}), "no ModelError");
}

TEST(Refusals, OfJointSpringsAndDampers) {
  const auto with = [](const std::string& joint, double stiffness, double rest, double damping) {
    return of_force(JointSpringDamper{joint, stiffness, rest, damping, {"m.toml", 30}},
                    "spring and damper of joint \"" + joint + "\"");
  };
  EXPECT_EQ(with("A", 1.0, 0.0, 1.0), "no ModelError");
  EXPECT_EQ(with("X", 1.0, 0.0, 1.0), "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(with("B", 1.0, 0.0, 1.0),
            "needs a joint with one degree of freedom, joint \"B\" is free");
  EXPECT_EQ(with("A", -1.0, 0.0, 1.0), "stiffness must not be negative, it is -1");
  EXPECT_EQ(with("A", 1.0, kNaN, 1.0), "rest is not a finite number");
  EXPECT_EQ(with("A", 1.0, 0.0, -1.0), "damping must not be negative, it is -1");
}

TEST(Refusals, OfPointSpringsAndDampers) {
  const auto with = [](const std::function<void(PointSpringDamper&)>& change) {
    PointSpringDamper force;
    force.name = "s";
    force.points = {{"ground"}, {"b"}};
    force.where = {"m.toml", 30};
    change(force);
    return of_force(force, force.name.empty() ? "force" : "force \"s\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.name = ""; }), "the name is missing");
  EXPECT_EQ(with([](auto& f) { f.points[0].body = "c"; }),
            "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.points[1].body = "c"; }),
            "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.points[0].body = "b"; }), "all points are of \"b\"");
  EXPECT_EQ(with([](auto& f) { f.points[0].position(1) = kNaN; }),
            "a number of point 1 is not finite");
  EXPECT_EQ(with([](auto& f) { f.points[1].position(1) = kNaN; }),
            "a number of point 2 is not finite");
  EXPECT_EQ(with([](auto& f) { f.points.pop_back(); }), "needs two points or more, it has 1");
  EXPECT_EQ(with([](auto& f) { f.points = {{"b"}, {"b"}, {"b"}}; }), "all points are of \"b\"");
  EXPECT_EQ(with([](auto& f) {
              f.points = {{"b"}, {"ground"}, {"c"}};
            }),
            "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.points[0].ratio = -1.0; }),
            "ratio 1 must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.slack = -1.0; }), "slack must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.stiffness = -1.0; }), "stiffness must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.rest_length = -1.0; }),
            "rest_length must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.damping = -1.0; }), "damping must not be negative, it is -1");
}

TEST(Refusals, OfActuators) {
  const auto with = [](const std::function<void(Actuator&)>& change) {
    Actuator force;
    force.name = "m";
    force.joint = "A";
    force.where = {"m.toml", 30};
    change(force);
    return of_force(force, "force \"m\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.joint = "X"; }), "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.joint = "B"; }),
            "needs a joint with one degree of freedom, joint \"B\" is free");
  EXPECT_EQ(with([](auto& f) {
              f.effort = Sine{kNaN, 0.0, 0.0, 0.0};
            }),
            "effort.constant is not a finite number");
  EXPECT_EQ(with([](auto& f) {
              f.effort = Sine{0.0, kNaN, 0.0, 0.0};
            }),
            "effort.amplitude is not a finite number");
  EXPECT_EQ(with([](auto& f) {
              f.effort = Sine{0.0, 0.0, kNaN, 0.0};
            }),
            "effort.frequency is not a finite number");
  EXPECT_EQ(with([](auto& f) {
              f.effort = Sine{0.0, 0.0, 0.0, kNaN};
            }),
            "effort.phase is not a finite number");
  EXPECT_EQ(with([](auto& f) { f.effort = Polynomial{}; }),
            "effort needs at least one coefficient");
}

TEST(Refusals, OfLimits) {
  const auto with = [](const std::function<void(JointLimits&)>& change) {
    JointLimits force{"A", -1.0, 1.0, 5.0, 0.1, {}, {"m.toml", 30}};
    change(force);
    return of_force(force, "limits of joint \"" + force.joint + "\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.joint = "X"; }), "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.joint = "B"; }),
            "needs a joint with one degree of freedom, joint \"B\" is free");
  EXPECT_EQ(with([](auto& f) { f.lower = f.upper = {}; }), "needs lower, upper or both");
  EXPECT_EQ(with([](auto& f) { f.lower = kNaN; }), "lower is not a finite number");
  EXPECT_EQ(with([](auto& f) { f.upper = -1.0; }),
            "lower must be below upper, but -1 is not below -1");
  EXPECT_EQ(with([](auto& f) { f.stiffness = 0.0; }), "stiffness must be positive, it is 0");
  EXPECT_EQ(with([](auto& f) { f.damping = -1.0; }), "damping must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.lower = {}; }), "needs transition where it has one end only");
  EXPECT_EQ(with([](auto& f) { f.transition = 0.0; }), "transition must be positive, it is 0");
}

TEST(Refusals, OfFriction) {
  const auto with = [](const std::function<void(JointFriction&)>& change) {
    JointFriction force{"A", 1.0, 0.5, 0.1, {"m.toml", 30}};
    change(force);
    return of_force(force, "friction of joint \"" + force.joint + "\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.joint = "B"; }), "no ModelError");  // it is free
  EXPECT_EQ(with([](auto& f) { f.coulomb = -1.0; }), "coulomb must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.viscous = kNaN; }), "viscous is not a finite number");
  EXPECT_EQ(with([](auto& f) { f.velocity_scale = 0.0; }),
            "coulomb friction needs a velocity_scale above 0, it is 0");
}

TEST(Refusals, OfBushings) {
  const auto with = [](const std::function<void(Bushing&)>& change) {
    Bushing force;
    force.name = "s";
    force.body_a = "ground";
    force.body_b = "b";
    force.where = {"m.toml", 30};
    change(force);
    return of_force(force, "force \"s\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.body_a = "c"; }), "body_a \"c\" is not a body of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.body_a = "b"; }), "body_a and body_b are both \"b\"");
  EXPECT_EQ(with([](auto& f) { f.at_b.rotation *= 2.0; }),
            "the axes of at_b are not orthonormal and right-handed");
  EXPECT_EQ(with([](auto& f) { f.rotational_stiffness(2) = -1.0; }),
            "rotational_stiffness must not be negative, it is -1");
  EXPECT_EQ(with([](auto& f) { f.translational_damping(0) = kNaN; }),
            "translational_damping is not a finite number");
}

TEST(Refusals, OfWrenches) {
  const auto with = [](const std::function<void(AppliedWrench&)>& change) {
    AppliedWrench force;
    force.name = "w";
    force.body = "b";
    force.where = {"m.toml", 30};
    change(force);
    return of_force(force, "force \"w\"");
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.body = "c"; }), "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(with([](auto& f) { f.body = "ground"; }), "acts on the ground, which nothing moves");
  EXPECT_EQ(with([](auto& f) { f.position(1) = kNaN; }), "a number of position is not finite");
  EXPECT_EQ(with([](auto& f) { f.force.z = Sine{}; }), "force.z leaves the plane");
  EXPECT_EQ(with([](auto& f) { f.force.z = Polynomial{{0.0}}; }), "no ModelError");
  EXPECT_EQ(with([](auto& f) { f.moment.x = Sine{}; }), "moment.x leaves the plane");
  EXPECT_EQ(with([](auto& f) { f.moment.z = Polynomial{}; }),
            "moment.z needs at least one coefficient");
}

TEST(Refusals, OfCallbacks) {
  const SourceLocation where{"m.toml", 30};
  const auto effort = [](double, double, double) { return 0.0; };
  EXPECT_EQ(of_force(EffortCallback{"f", "A", effort, where}, "force \"f\""), "no ModelError");
  EXPECT_EQ(of_force(EffortCallback{"f", "X", effort, where}, "force \"f\""),
            "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(of_force(EffortCallback{"f", "A", {}, where}, "force \"f\""), "effort is no function");
  const auto load = [](double, const BodyState&) { return BodyLoad{}; };
  EXPECT_EQ(of_force(LoadCallback{"f", "a", load, where}, "force \"f\""), "no ModelError");
  EXPECT_EQ(of_force(LoadCallback{"f", "ground", load, where}, "force \"f\""),
            "acts on the ground, which nothing moves");
  EXPECT_EQ(of_force(LoadCallback{"f", "a", {}, where}, "force \"f\""), "load is no function");
  const auto law = [](Controls&) {};
  EXPECT_EQ(of_force(Controller{"f", {"A"}, law, where}, "force \"f\""), "no ModelError");
  EXPECT_EQ(of_force(Controller{"f", {"A", "B"}, law, where}, "force \"f\""),
            "needs a joint with one degree of freedom, joint \"B\" is free");
  EXPECT_EQ(of_force(Controller{"f", {"A", "A"}, law, where}, "force \"f\""),
            "names joint \"A\" twice");
  EXPECT_EQ(of_force(Controller{"f", {"A"}, {}, where}, "force \"f\""), "law is no function");
}

TEST(Refusals, OfArmature) {
  const auto with = [](const std::function<void(JointDescription&)>& change) {
    auto m = two_bodies();
    m.joints[0].armature = 0.1;
    change(m.joints[0]);
    return refusal(m, "joint \"A\"", 20);
  };
  EXPECT_EQ(with([](auto&) {}), "no ModelError");
  EXPECT_EQ(with([](auto& j) { j.armature = -1.0; }), "armature must not be negative, it is -1");
  EXPECT_EQ(with([](auto& j) { j.type = JointType::kPinInSlot; }),
            "armature needs a spherical joint or one with one degree of freedom, this one is "
            "pin_in_slot");
  EXPECT_EQ(with([](auto& j) { j.drive = Sine{}; }),
            "is driven and moves as it is told, so it takes no armature");
}

TEST(Refusals, OfArmatureInAllJointsOfALoop) {
  auto m = two_bodies(SpaceKind::kPlanar, true);
  for (auto& joint : m.joints) joint.armature = 0.1;
  EXPECT_EQ(refusal(m, "joint \"C\"", 20),
            "closes a loop in which every joint is coupled or has armature; one of them must do "
            "without");
}

// Joints with armature are in the tree, whatever else the user says of others.
TEST(Model, KeepsArmatureInTheTree) {
  auto m = two_bodies(SpaceKind::kPlanar, true);
  m.joints[2].armature = 0.1;
  m.joints[0].initial_q = values({0.1});
  m.joints[1].drive = Sine{};
  const Model model(m);
  model.visit([&](const auto& system) {
    const auto& joint = system.joint(*model.find_joint("C"));
    EXPECT_FALSE(joint.is_cut());
    EXPECT_EQ(joint.armature, 0.1);
  });
}

TEST(Refusals, OfTwoForcesWithOneName) {
  auto m = two_bodies();
  m.add(Actuator{"m", "A", Polynomial{{1.0}}, {"m.toml", 30}});
  m.add(PointSpringDamper{"m", {{"a"}, {"b"}}, 1.0, 0.0, 0.0, {}, {"m.toml", 31}});
  EXPECT_EQ(refusal(m, "force \"m\"", 31), "another force has this name already");
}

TEST(Refusals, OfSensors) {
  const SourceLocation where{"m.toml", 40};
  EXPECT_EQ(of_sensor(BodySensor{"s", "c", where}, "sensor \"s\""),
            "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(of_sensor(BodySensor{"s", "ground", where}, "sensor \"s\""),
            "body \"ground\" is not a body of this mechanism");
  EXPECT_EQ(of_sensor(PointSensor{"s", "c", {}, where}, "sensor \"s\""),
            "body \"c\" is not a body of this mechanism");
  EXPECT_EQ(of_sensor(PointSensor{"s", "a", {kNaN, 0.0, 0.0}, where}, "sensor \"s\""),
            "a number of position is not finite");
  EXPECT_EQ(of_sensor(JointSensor{"s", "X", where}, "sensor \"s\""),
            "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(of_sensor(ReactionSensor{"s", "X", where}, "sensor \"s\""),
            "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(of_sensor(ReactionSensor{"s", "A", where}, "sensor \"s\""), "no ModelError");
  EXPECT_EQ(of_sensor(EnergySensor{"", where}, "sensor"), "the name is missing");
  auto m = two_bodies();
  m.add(EnergySensor{"s", where}).add(JointSensor{"s", "A", where});
  EXPECT_EQ(refusal(m, "sensor \"s\"", 40), "another sensor has this name already");
}

TEST(Refusals, OfBodiesThatNothingHolds) {
  auto m = two_bodies();
  m.joints.pop_back();
  EXPECT_EQ(refusal(m, "body \"b\"", 10),
            "no chain of joints connects it to the ground; a floating body needs a free joint");
  // A loop among themselves is no connection to the ground.
  m.add(body("c")).add(joint("B", "b", "c")).add(joint("C", "c", "b"));
  EXPECT_EQ(refusal(m, "body \"b\"", 10),
            "no chain of joints connects it to the ground; a floating body needs a free joint");
}

TEST(Refusals, OfFreeJoints) {
  auto idle = two_bodies(SpaceKind::kPlanar, true);
  for (auto& j : idle.joints) j.type = JointType::kFree;
  EXPECT_EQ(refusal(idle, "joint \"C\"", 20),
            "is free but other joints already connect its bodies, so it has no effect");
}

TEST(Refusals, WithoutAFileNameNoPlace) {
  auto m = two_bodies();
  m.bodies[0].mass = -1.0;
  m.bodies[0].where = {};
  try {
    const Model model(m);
    FAIL() << "no ModelError";
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "body \"a\": mass must not be negative, it is -1");
  }
}

// ---- The spanning tree

std::vector<std::string> cut_joints(const Mechanism& mechanism) {
  const Model model(mechanism);
  std::vector<std::string> cuts;
  for (int j = model.body_count(); j < model.joint_count(); ++j) {
    cuts.push_back(model.joint_name(j));
  }
  return cuts;
}

using Cuts = std::vector<std::string>;

TEST(Tree, FreeJointsStayFirst) {
  auto m = two_bodies(SpaceKind::kPlanar, true);
  for (auto& j : m.joints) j.initial_q = values({0.0});
  m.joints[2] = joint("C", "ground", "b", JointType::kFree);
  EXPECT_EQ(cut_joints(m), Cuts{"B"});
}

TEST(Tree, TwoJointsBetweenTheSameBodiesAreALoop) {
  auto m = two_bodies();
  m.add(joint("B2", "a", "b"));
  EXPECT_EQ(cut_joints(m), Cuts{"B2"});
}

TEST(Tree, JointsMayRunAgainstIt) {
  auto m = two_bodies();
  m.joints[0] = joint("A", "a", "ground");
  m.joints[1] = joint("B", "b", "a");
  m.joints[1].at_parent.position = {0.1, 0.0, 0.0};  // in b
  m.joints[1].at_child.position = {0.7, 0.0, 0.0};   // in a
  const Model model(m);
  model.visit([&](const auto& system) {
    EXPECT_TRUE(system.joint(0).reversed);
    EXPECT_TRUE(system.joint(1).reversed);
    EXPECT_EQ(system.inboard(0), kNone);
    EXPECT_EQ(model.body_name(system.inboard(1)), "a");
    // Parent and child stay the user's.
    EXPECT_EQ(model.body_name(system.joint(0).parent), "a");
    EXPECT_EQ(system.joint(0).child, kNone);
    EXPECT_EQ(model.body_name(system.joint(1).parent), "b");
    EXPECT_EQ(model.body_name(system.joint(1).child), "a");
    // Seen from a, the joint is at the user's child frame; the frame of b is the user's parent
    // frame.
    EXPECT_EQ(system.joint(1).X_CM.r(0), 0.7);
    EXPECT_EQ(system.joint(1).X_PF.r(0), 0.0);
    EXPECT_EQ(model.user_frame(1).position(0), -0.1);
  });
}

TEST(Tree, JointsOfEveryTypeMayRunAgainstIt) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto& name : joint_type_names(space)) {
      auto m = two_bodies(space);
      m.joints[1] = joint("B", "b", "a", *joint_type_from_name(name));
      if (m.joints[1].type == JointType::kHelical) m.joints[1].pitch = 0.1;
      const Model model(m);
      model.visit([&](const auto& system) {
        EXPECT_FALSE(system.joint(0).reversed) << name;
        EXPECT_TRUE(system.joint(1).reversed) << name;
        EXPECT_EQ(model.body_name(system.inboard(1)), "a") << name;
        EXPECT_EQ(system.joint(1).velocities, joint_size(system.joint(1).type, space).velocities);
      });
    }
  }
}

TEST(Tree, ACutStandsAsItIsWritten) {
  auto m = two_bodies();
  m.add(joint("C", "b", "ground"));
  m.joints.back().cut = true;
  const Model model(m);
  model.visit([&](const auto& system) {
    const auto& cut = system.joint(2);
    EXPECT_TRUE(cut.is_cut());
    EXPECT_EQ(model.body_name(cut.parent), "b");
    EXPECT_EQ(cut.child, kNone);
    EXPECT_FALSE(cut.reversed);
  });
}

TEST(Tree, BodiesComeAfterTheirParentsInAnyOrderOfWriting) {
  Mechanism m = two_bodies();
  std::swap(m.bodies[0], m.bodies[1]);
  std::swap(m.joints[0], m.joints[1]);
  const Model model(m);
  EXPECT_EQ(model.body_name(0), "a");
  EXPECT_EQ(model.body_name(1), "b");
  EXPECT_EQ(model.joint_name(0), "A");
  EXPECT_EQ(model.described_body(0), 1);
  EXPECT_EQ(model.described_joint(0), 1);
}

// ---- Sizes and names

TEST(ModelSizes, CountCoordinatesVelocitiesAndRows) {
  const Model planar(two_bodies(SpaceKind::kPlanar, true));
  EXPECT_EQ(planar.body_count(), 2);
  EXPECT_EQ(planar.joint_count(), 3);
  EXPECT_EQ(planar.loop_count(), 1);
  EXPECT_EQ(planar.coordinate_count(), 2);
  EXPECT_EQ(planar.velocity_count(), 2);
  EXPECT_EQ(planar.constraint_count(), 2);
  EXPECT_EQ(Model(two_bodies(SpaceKind::kSpatial, true)).constraint_count(), 5);
  auto floating = two_bodies(SpaceKind::kSpatial);
  floating.joints[0].type = JointType::kFree;
  EXPECT_EQ(Model(floating).coordinate_count(), 8);
  EXPECT_EQ(Model(floating).velocity_count(), 7);
}

// Two cranks and a coupler between balls, the second of which closes the loop.
TEST(ModelBalls, StandAtTheBodyThatBallsAloneHold) {
  const auto frame_at_parent = [](bool coupler_is_parent, JointType first) {
    auto m = shipped("rssr").mechanism();
    for (auto& joint : m.joints) {
      if (joint.name == "B") {
        joint.type = first;
        joint.initial_v.reset();
        joint.guess_q.reset();
      }
      if (joint.name != "C") continue;
      joint.cut = true;
      if (coupler_is_parent) continue;
      std::swap(joint.parent, joint.child);
      std::swap(joint.at_parent, joint.at_child);
    }
    const Model model(m);
    const auto& tables = std::get<System<Spatial<double>>>(model.tables());
    const auto& ball = tables.joint(*model.find_joint("C"));
    EXPECT_TRUE(ball.is_cut());
    return ball.at_parent;
  };
  EXPECT_TRUE(frame_at_parent(true, JointType::kSpherical));
  EXPECT_FALSE(frame_at_parent(false, JointType::kSpherical));
  EXPECT_FALSE(frame_at_parent(true, JointType::kUniversal));
}

TEST(ModelNames, FindBodiesAndJoints) {
  const Model model(two_bodies(SpaceKind::kPlanar, true));
  EXPECT_EQ(model.find_body("ground"), kNone);
  EXPECT_EQ(model.find_body("a"), 0);
  EXPECT_EQ(model.find_body("b"), 1);
  EXPECT_EQ(model.find_body("c"), std::nullopt);
  EXPECT_EQ(model.find_joint("A"), 0);
  EXPECT_EQ(model.find_joint("C"), 2);
  EXPECT_EQ(model.find_joint("ground"), std::nullopt);
  EXPECT_EQ(model.name(), "two");
  EXPECT_EQ(model.space(), SpaceKind::kPlanar);
}

TEST(ModelNames, JointTypesHaveOneWordEach) {
  for (const auto type :
       {JointType::kRevolute, JointType::kPrismatic, JointType::kHelical, JointType::kCylindrical,
        JointType::kUniversal, JointType::kSpherical, JointType::kPlanar, JointType::kTranslational,
        JointType::kPinInSlot, JointType::kFixed, JointType::kFree}) {
    EXPECT_EQ(joint_type_from_name(to_name(type)), type);
  }
  EXPECT_EQ(joint_type_names(SpaceKind::kPlanar).size(), 5U);
  EXPECT_EQ(joint_type_names(SpaceKind::kSpatial).size(), 11U);
  EXPECT_EQ(joint_type_from_name("Revolute"), std::nullopt);
}

}  // namespace
}  // namespace hamiltree
