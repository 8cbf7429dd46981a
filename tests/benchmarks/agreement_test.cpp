// Engines are held to the same motion before they are timed: that the check passes where it should
// and fails where it should.
#include "benchmarks/agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "benchmarks/cases.hpp"
#include "benchmarks/described.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/states.hpp"

namespace hamiltree::benchmarks {
namespace {

double difference(const Model& model, const Model& other, const std::string& formulation) {
  const auto states = draw_states(model, 3);
  OwnModel own(other, formulation);
  own.keep(states);
  return Reference(model, states).difference(own);
}

TEST(Agreement, OwnFormulationsComputeTheSameMotion) {
  for (const auto& mechanism :
       {chain(7), planar_chain(7), arm(), binary_tree(15), humanoid(),
        ladder(3, SpaceKind::kSpatial), ladder(3, SpaceKind::kPlanar), grid(4), legs(3)}) {
    const Model model(mechanism);
    for (const char* formulation : {"recursive", "aba", "hdca"}) {
      EXPECT_LT(difference(model, model, formulation), kAgreement)
          << mechanism.name << ", " << formulation;
    }
  }
}

TEST(Agreement, NoticesAnotherMass) {
  for (const char* formulation : {"recursive", "aba"}) {
    Mechanism heavier = chain(7);
    heavier.bodies[3].mass *= 1.0 + 1e-6;
    EXPECT_GT(difference(Model(chain(7)), Model(heavier), formulation), kAgreement);
  }
}

TEST(Agreement, NoticesWhatIsNoNumberAndAnotherSize) {
  EXPECT_EQ(relative_difference({1.0, 2.0}, {1.0, 2.0}), 0.0);
  EXPECT_EQ(relative_difference({1.0, 2.5}, {1.0, 2.0}), 0.25);
  EXPECT_DOUBLE_EQ(relative_difference({1e-16}, {0.0}, 10.0), 1e-17);
  EXPECT_GT(relative_difference({1.0, std::nan("")}, {1.0, 2.0}), 1.0);
  EXPECT_GT(relative_difference({1.0}, {1.0, 2.0}), 1.0);
}

TEST(Agreement, AsksLessOfLongChainsOnly) {
  EXPECT_EQ(asked_agreement(2), kAgreement);
  EXPECT_EQ(asked_agreement(128), kAgreement);
  EXPECT_EQ(asked_agreement(512), 64 * kAgreement);
}

std::optional<EngineMechanism> told_of(const Model& model) {
  return describe(model, draw_states(model, 1).front().q);
}

TEST(Described, IsTheMechanismAsItWasSaid) {
  const auto told = told_of(Model(humanoid())).value();
  ASSERT_EQ(told.bodies.size(), 28U);
  EXPECT_EQ(std::ranges::count(told.bodies, EngineJoint::kFree, &EngineBody::joint), 1);
  const auto closed = told_of(Model(ladder(2, SpaceKind::kPlanar))).value();
  EXPECT_FALSE(told_of(Model(biped())));  // floats in the plane
  EXPECT_EQ(closed.bodies.size(), 5U);
  EXPECT_EQ(closed.closures.size(), 2U);
  EXPECT_EQ(closed.gravity, (std::array<double, 3>{0.0, -9.81, 0.0}));
}

const Case& machine(const std::string& name) {
  for (const auto& family : families()) {
    for (const auto& one : family.cases) {
      if (one.name == name) return one;
    }
  }
  throw std::invalid_argument("no machine " + name);
}

// What is described, as a mechanism of this engine again.
Mechanism rebuilt(const EngineMechanism& told) {
  const auto name = [](int b) {
    return b == kEngineGround ? std::string("ground") : "b" + std::to_string(b);
  };
  const auto frame = [](const EngineFrame& X) {
    Frame result;
    result.rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(X.R.data());
    result.position = Eigen::Map<const Eigen::Vector3d>(X.r.data());
    return result;
  };
  Mechanism mechanism;
  mechanism.space = SpaceKind::kSpatial;
  mechanism.gravity = Eigen::Map<const Eigen::Vector3d>(told.gravity.data());
  for (std::size_t b = 0; b < told.bodies.size(); ++b) {
    const auto& from = told.bodies[b];
    BodyDescription body;
    body.name = name(static_cast<int>(b));
    body.mass = from.mass;
    body.com = Eigen::Map<const Eigen::Vector3d>(from.com.data());
    body.inertia = Eigen::Map<const Eigen::Matrix3d>(from.inertia.data());
    mechanism.add(body);
    JointDescription joint;
    joint.name = "j" + std::to_string(b);
    joint.type = std::map<EngineJoint, JointType>{{EngineJoint::kRevolute, JointType::kRevolute},
                                                  {EngineJoint::kPrismatic, JointType::kPrismatic},
                                                  {EngineJoint::kUniversal, JointType::kUniversal},
                                                  {EngineJoint::kSpherical, JointType::kSpherical},
                                                  {EngineJoint::kFree, JointType::kFree}}
                     .at(from.joint);
    joint.parent = name(from.parent);
    joint.child = body.name;
    joint.at_parent = frame(from.at_parent);
    joint.armature = from.armature;
    joint.cut = false;
    mechanism.add(joint);
  }
  for (std::size_t k = 0; k < told.closures.size(); ++k) {
    const auto& from = told.closures[k];
    JointDescription joint;
    joint.name = "c" + std::to_string(k);
    joint.type = JointType::kSpherical;
    joint.parent = name(from.parent);
    joint.child = name(from.child);
    joint.at_parent = frame(from.at_parent);
    joint.at_child = frame(from.at_child);
    joint.cut = true;
    mechanism.add(joint);
  }
  return mechanism;
}

TEST(Described, MovesAsTheMachineWithoutItsForces) {
  for (const char* name :
       {"stewart", "suspension", "excavator", "biped", "spherical_3rrr", "sarrus", "motorcycle",
        "pantograph_leg", "backhoe", "deployable_ring", "scissor_lift"}) {
    auto mechanism = machine(name).make();
    const Model moved(mechanism);
    const auto states = draw_states(moved, 3);
    for (auto& joint : mechanism.joints) joint.cut = true;
    for (int b = 0; b < moved.body_count(); ++b)
      mechanism.joints[at(moved.described_joint(b))].cut = false;
    mechanism.forces.clear();
    const Model model(mechanism);
    const auto told = told_of(moved);
    ASSERT_TRUE(told) << name;
    OwnModel ours(model, "aba"), again(Model(rebuilt(*told)), "aba");
    ours.keep(states);
    again.keep(states);
    for (std::size_t s = 0; s < states.size(); ++s) {
      EXPECT_LT(relative_difference(again.accelerations(s), ours.accelerations(s)), kAgreement)
          << name;
    }
  }
}

// States that the joints prescribe have the efforts of all forces, too.
TEST(Described, StatesHaveTheEffortsOfForces) {
  auto mechanism = chain(3);
  mechanism.add(
      JointSpringDamper{.joint = mechanism.joints[1].name, .stiffness = 30.0, .where = {}});
  const Model model(mechanism);
  auto states = draw_states(model, 3);
  OwnModel with(model, "aba");
  with.keep(states);
  const auto expected = with.accelerations(2);
  mechanism.forces.clear();
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i)
    if (states[2].efforts[i] != 0.0)
      mechanism.add(Actuator{.name = "push",
                             .joint = mechanism.joints[i].name,
                             .effort = Polynomial{{states[2].efforts[i]}},
                             .where = {}});
  OwnModel pushed(Model(mechanism), "aba");
  pushed.keep(states);
  EXPECT_LT(relative_difference(pushed.accelerations(2), expected), kAgreement);
}

TEST(Described, AreMachinesClosedByPinsAndBalls) {
  for (const char* name : {"stewart", "delta", "suspension", "biped", "hexapod", "excavator"}) {
    const Model model(machine(name).make());
    const auto told = told_of(model);
    ASSERT_TRUE(told) << name;
    EXPECT_EQ(static_cast<int>(told->bodies.size()), model.body_count());
    EXPECT_EQ(static_cast<int>(told->closures.size()), model.loop_count());
    EXPECT_FALSE(has_pins_only(*told)) << name;
  }
  // Pins across one another are held at two points each.
  EXPECT_EQ(told_of(Model(machine("sarrus").make()))->closures.size(), 2U);
  EXPECT_FALSE(told_of(Model(machine("planetary_gear").make())));  // couplings
}

TEST(Agreement, MachinesComputeTheSameMotion) {
  for (const auto& family : families()) {
    if (family.name != "machines") continue;
    for (const auto& one : family.cases) {
      const Model model(one.make());
      EXPECT_LT(difference(model, model, "recursive"), kAgreement) << one.name;
    }
  }
}

TEST(Cases, EveryFamilyHasOneForAQuickRun) {
  for (const auto& family : families()) {
    EXPECT_TRUE(std::ranges::any_of(family.cases, &Case::in_quick)) << family.name;
    const auto first = family.derivatives ? "jacobians" : "recursive";
    for (const auto& one : family.cases) EXPECT_EQ(one.own.front(), first);
  }
}

}  // namespace
}  // namespace hamiltree::benchmarks
