// Engines are held to the same motion before they are timed: that the check passes where it should
// and fails where it should.
#include "benchmarks/agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(Described, AreMachinesWhoseLoopsArePoints) {
  for (const char* name : {"stewart", "delta", "suspension", "biped", "hexapod"}) {
    const Model model(machine(name).make());
    const auto told = told_of(model);
    ASSERT_TRUE(told) << name;
    EXPECT_EQ(static_cast<int>(told->bodies.size()), model.body_count());
    EXPECT_EQ(static_cast<int>(told->closures.size()), model.loop_count());
    EXPECT_FALSE(has_pins_only(*told)) << name;
  }
  EXPECT_FALSE(told_of(Model(machine("sarrus").make())));      // pins across one another
  EXPECT_FALSE(told_of(Model(machine("motorcycle").make())));  // on bushings
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
