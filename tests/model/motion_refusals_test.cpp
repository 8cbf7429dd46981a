// From Mechanism to Model: every refusal of a pitch, of a motion in time and of a coupling.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hamiltree/model/validate.hpp"
#include "model/two_bodies.hpp"

namespace hamiltree {
namespace {

using namespace test;

std::string of_joint(const std::function<void(JointDescription&)>& change,
                     SpaceKind space = SpaceKind::kPlanar) {
  auto m = two_bodies(space);
  change(m.joints[1]);
  return refusal(m, "joint \"B\"", 20);
}

std::string of_drive(const TimeFunction& drive) {
  return of_joint([&](auto& j) { j.drive = drive; });
}

std::string of_motion(const FrameMotion& motion, SpaceKind space = SpaceKind::kPlanar) {
  return of_joint([&](auto& j) { j.parent_motion = motion; }, space);
}

FrameMotion along(std::optional<TimeFunction> FrameMotion::*part, const TimeFunction& function) {
  FrameMotion motion;
  motion.*part = function;
  return motion;
}

const Sine kStill{};

TEST(Refusals, OfPitches) {
  const auto with = [](JointType type, double pitch) {
    return of_joint(
        [&](auto& j) {
          j.type = type;
          j.pitch = pitch;
        },
        SpaceKind::kSpatial);
  };
  EXPECT_EQ(with(JointType::kHelical, 0.01), "no ModelError");
  EXPECT_EQ(with(JointType::kHelical, -0.01), "no ModelError");
  EXPECT_EQ(with(JointType::kHelical, 0.0),
            "pitch must not be 0; without it the joint is revolute");
  EXPECT_EQ(with(JointType::kHelical, kNaN), "pitch is not a finite number");
  EXPECT_EQ(with(JointType::kHelical, kInfinity), "pitch is not a finite number");
  EXPECT_EQ(with(JointType::kRevolute, 0.01), "a revolute joint has no pitch");
}

TEST(Refusals, OfBranchesWithoutALoop) {
  EXPECT_EQ(of_joint([](auto& j) { j.branch = 2; }), "branch is 2, but there is no loop");
}

TEST(Refusals, OfDrivenJoints) {
  const auto with = [](JointType type, SpaceKind space = SpaceKind::kSpatial) {
    return of_joint(
        [&](auto& j) {
          j.type = type;
          j.pitch = type == JointType::kHelical ? 0.01 : 0.0;
          j.drive = kStill;
        },
        space);
  };
  EXPECT_EQ(with(JointType::kRevolute), "no ModelError");
  EXPECT_EQ(with(JointType::kPrismatic), "no ModelError");
  EXPECT_EQ(with(JointType::kHelical), "no ModelError");
  EXPECT_EQ(with(JointType::kSpherical),
            "drive needs a joint with one degree of freedom, this one is spherical");
  EXPECT_EQ(with(JointType::kPinInSlot, SpaceKind::kPlanar),
            "drive needs a joint with one degree of freedom, this one is pin_in_slot");
  EXPECT_EQ(with(JointType::kFixed),
            "drive needs a joint with one degree of freedom, this one is fixed");
}

TEST(Refusals, OfStartsOfDrivenJoints) {
  for (const auto start :
       {&JointDescription::initial_q, &JointDescription::initial_v, &JointDescription::guess_q}) {
    EXPECT_EQ(of_joint([&](auto& j) {
                j.drive = kStill;
                j.*start = values({0.0});
              }),
              "drive says how it moves from the start on, so it takes no initial and no guess");
  }
}

TEST(Refusals, OfPolynomials) {
  EXPECT_EQ(of_drive(Polynomial{{1.0, 2.0}}), "no ModelError");
  EXPECT_EQ(of_drive(Polynomial{}), "drive needs at least one coefficient");
  EXPECT_EQ(of_drive(Polynomial{{1.0, kNaN}}), "a number of drive.coefficients is not finite");
}

TEST(Refusals, OfSines) {
  EXPECT_EQ(of_drive(Sine{1.0, 2.0, 3.0, 4.0}), "no ModelError");
  EXPECT_EQ(of_drive(Sine{kNaN, 2.0, 3.0, 4.0}), "drive.constant is not a finite number");
  EXPECT_EQ(of_drive(Sine{1.0, kNaN, 3.0, 4.0}), "drive.amplitude is not a finite number");
  EXPECT_EQ(of_drive(Sine{1.0, 2.0, kNaN, 4.0}), "drive.frequency is not a finite number");
  EXPECT_EQ(of_drive(Sine{1.0, 2.0, 3.0, kNaN}), "drive.phase is not a finite number");
}

TEST(Refusals, OfSmoothSteps) {
  EXPECT_EQ(of_drive(SmoothStep{1.0, 2.0, 3.0, 4.0}), "no ModelError");
  EXPECT_EQ(of_drive(SmoothStep{kNaN, 2.0, 3.0, 4.0}), "drive.from is not a finite number");
  EXPECT_EQ(of_drive(SmoothStep{1.0, kNaN, 3.0, 4.0}), "drive.to is not a finite number");
  EXPECT_EQ(of_drive(SmoothStep{1.0, 2.0, kNaN, 4.0}), "drive.start is not a finite number");
  EXPECT_EQ(of_drive(SmoothStep{1.0, 2.0, 3.0, kInfinity}),
            "drive.duration is not a finite number");
  EXPECT_EQ(of_drive(SmoothStep{1.0, 2.0, 3.0, 0.0}), "drive.duration must be positive, it is 0");
  EXPECT_EQ(of_drive(SmoothStep{1.0, 2.0, 3.0, -1.0}), "drive.duration must be positive, it is -1");
}

TEST(Refusals, OfTables) {
  EXPECT_EQ(of_drive(Table{{0.0, 1.0}, {2.0, 3.0}}), "no ModelError");
  EXPECT_EQ(of_drive(Table{{}, {}}), "drive needs at least two times");
  EXPECT_EQ(of_drive(Table{{0.0}, {2.0}}), "drive needs at least two times");
  EXPECT_EQ(of_drive(Table{{0.0, 1.0}, {2.0}}), "drive has 1 values for 2 times");
  EXPECT_EQ(of_drive(Table{{0.0, 1.0, 1.0}, {2.0, 3.0, 4.0}}),
            "drive.times must ascend, but 1 is followed by 1");
  EXPECT_EQ(of_drive(Table{{0.0, 2.0, 1.5}, {2.0, 3.0, 4.0}}),
            "drive.times must ascend, but 2 is followed by 1.5");
  EXPECT_EQ(of_drive(Table{{0.0, kNaN}, {2.0, 3.0}}), "a number of drive.times is not finite");
  EXPECT_EQ(of_drive(Table{{0.0, 1.0}, {2.0, kNaN}}), "a number of drive.values is not finite");
  EXPECT_EQ(of_drive(Table{{0.0, 1.0}, {2.0, 3.0}, kNaN}),
            "drive.start_rate is not a finite number");
  EXPECT_EQ(of_drive(Table{{0.0, 1.0}, {2.0, 3.0}, 0.0, kNaN}),
            "drive.end_rate is not a finite number");
}

TEST(Refusals, OfParentMotions) {
  EXPECT_EQ(of_motion(along(&FrameMotion::x, kStill)), "no ModelError");
  EXPECT_EQ(of_motion(along(&FrameMotion::y, kStill)), "no ModelError");
  EXPECT_EQ(of_motion(along(&FrameMotion::rz, kStill)), "no ModelError");
  EXPECT_EQ(of_motion(along(&FrameMotion::z, kStill)), "parent_motion.z leaves the plane");
  EXPECT_EQ(of_motion(along(&FrameMotion::rx, kStill)), "parent_motion.rx leaves the plane");
  EXPECT_EQ(of_motion(along(&FrameMotion::ry, kStill)), "parent_motion.ry leaves the plane");
  EXPECT_EQ(of_motion(along(&FrameMotion::rx, kStill), SpaceKind::kSpatial), "no ModelError");
  EXPECT_EQ(of_motion({}), "parent_motion moves nothing");
  EXPECT_EQ(of_motion(along(&FrameMotion::y, Polynomial{})),
            "parent_motion.y needs at least one coefficient");
}

// Couples B to A after the change.
std::string of_coupling(const std::function<void(Mechanism&, Coupling&)>& change) {
  auto m = two_bodies();
  Coupling coupling{"gear", "B", "A", -2.0, 0.0, {"m.toml", 50}};
  change(m, coupling);
  m.add(coupling);
  return refusal(m, coupling.name.empty() ? "coupling" : "coupling \"gear\"", 50);
}

TEST(Refusals, OfCouplings) {
  EXPECT_EQ(of_coupling([](auto&, auto&) {}), "no ModelError");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.name = ""; }), "the name is missing");
  EXPECT_EQ(of_coupling([](auto& m, auto& c) { m.add(c); }),
            "another coupling has this name already");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.joint = "X"; }),
            "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.to = "X"; }),
            "joint \"X\" is not a joint of this mechanism");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.to = "B"; }), "couples joint \"B\" to itself");
  EXPECT_EQ(of_coupling([](auto& m, auto&) { m.joints[0].type = JointType::kFree; }),
            "needs a joint with one degree of freedom, joint \"A\" is free");
  EXPECT_EQ(of_coupling([](auto& m, auto&) { m.joints[1].type = JointType::kFixed; }),
            "needs a joint with one degree of freedom, joint \"B\" is fixed");
  EXPECT_EQ(of_coupling([](auto& m, auto&) { m.joints[0].drive = kStill; }),
            "joint \"A\" is driven, so nothing can be coupled to it");
  EXPECT_EQ(of_coupling([](auto& m, auto&) { m.joints[1].drive = kStill; }),
            "joint \"B\" is driven, so nothing can be coupled to it");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.ratio = 0.0; }),
            "ratio, or a number of polynomial behind the first, must not be 0");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.ratio = kNaN; }), "ratio is not a finite number");
  EXPECT_EQ(of_coupling([](auto&, auto& c) { c.offset = kInfinity; }),
            "offset is not a finite number");
}

// Bodies without mass, rods without thickness; also what rounding leaves of their inertias.
TEST(Refusals, NotOfZeroInertias) {
  const auto check = [](SpaceKind space, double mass, const Eigen::Matrix3d& J) {
    auto m = two_bodies(space);
    m.bodies[1].mass = mass;
    m.bodies[1].inertia = J;
    validate(m);
  };
  const Eigen::Matrix3d none = Eigen::Matrix3d::Zero();
  EXPECT_NO_THROW(check(SpaceKind::kPlanar, 0.0, none));
  EXPECT_NO_THROW(check(SpaceKind::kPlanar, 1.0, none));
  EXPECT_NO_THROW(check(SpaceKind::kSpatial, 0.0, none));
  EXPECT_NO_THROW(check(SpaceKind::kSpatial, 0.0, Eigen::Matrix3d::Identity()));
  const Eigen::Vector3d rod = Eigen::Vector3d(1.0, 2.0, 3.0).normalized();
  EXPECT_NO_THROW(
      check(SpaceKind::kSpatial, 1.0, 0.3 * (Eigen::Matrix3d::Identity() - rod * rod.transpose())));
}

}  // namespace
}  // namespace hamiltree
