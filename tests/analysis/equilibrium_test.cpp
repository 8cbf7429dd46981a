#include "hamiltree/analysis/equilibrium.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/planar_linkages.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

using analysis::equilibrium;
using analysis::ModelAtPose;
using Eigen::VectorXd;

double potential(const Model& model, const VectorXd& q) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, 0.0, q.data(), kin);
    return potential_energy(system, kin, q.data());
  });
}

// Where V is least, by Newton's method on the closed form; stable, and V'' / M is omega^2.
TEST(Equilibrium, FourBar) {
  long double phi = -1.5;
  for (int i = 0; i < 50; ++i) {
    const auto curvature = FourBar::derivative(FourBar::slope, phi);
    phi -= std::clamp(FourBar::slope(phi) / std::abs(curvature), -0.2L, 0.2L);
  }
  const auto curvature = FourBar::derivative(FourBar::slope, phi);
  ASSERT_GT(curvature, 0.0L);
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const double start : {-0.3, -2.2, 2.0}) {
      const Model model(FourBar::mechanism(space, start));
      ModelAtPose pose(model, 0.0, initial_state(model).q, {"A"});
      const auto found = equilibrium(pose);
      const int a = *model.find_joint("A");
      const int q = model.visit([&](const auto& system) { return system.joint(a).q; });
      EXPECT_NEAR(std::remainder(found.linear.q(q) - static_cast<double>(phi), 2 * M_PI), 0.0, 1e-9)
          << "from " << start;
      EXPECT_TRUE(found.stable);
      EXPECT_LT(found.unbalanced, 1e-11);
      const auto all = analysis::modes(found.linear);
      ASSERT_EQ(all.size(), 1U);
      EXPECT_NEAR(all[0].frequency * 2 * M_PI,
                  static_cast<double>(std::sqrt(curvature / FourBar::mass(phi))), 1e-8);
    }
  }
}

// Upright is an equilibrium too.
TEST(Equilibrium, TellsStableFromUnstable) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {9.81, 0.0, 0.0};
  mechanism.add(bar("bar", 1.3, 0.4, 0.09));
  mechanism.add(pin("pin", kGround, "bar"));
  const Model model(mechanism);
  ModelAtPose upright(model, 0.0, VectorXd::Constant(1, M_PI));
  const auto balanced = equilibrium(upright);
  EXPECT_FALSE(balanced.stable);
  EXPECT_NEAR(balanced.growth, std::sqrt(1.3 * 9.81 * 0.4 / (0.09 + 1.3 * 0.16)), 1e-9);
  ModelAtPose beside(model, 0.0, VectorXd::Constant(1, M_PI - 1e-3));
  const auto hanging = equilibrium(beside);
  EXPECT_TRUE(hanging.stable);
  EXPECT_NEAR(std::remainder(hanging.linear.q(0), 2 * M_PI), 0.0, 1e-12);
}

// A pointer at the end of a boom that is a million times as heavy: its forces count for its pose as
// the boom's do for the boom's.
TEST(Equilibrium, LightPartsRestAsHeavyOnesDo) {
  for (const double mass : {1e-3, 1e-4, 1e-6}) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kPlanar;
    mechanism.gravity = {9.81, 0.0, 0.0};
    mechanism.add(bar("boom", 100.0, 1.0, 1.0)).add(bar("pointer", mass, 0.01, 1e-5 * mass));
    mechanism.add(pin("A", kGround, "boom", 0.0, 0.6)).add(pin("B", "boom", "pointer", 2.0, 2.0));
    const Model model(mechanism);
    ModelAtPose pose(model, 0.0, initial_state(model).q);
    const auto found = equilibrium(pose);
    EXPECT_TRUE(found.stable);
    EXPECT_FALSE(found.indifferent);
    for (const double angle : found.linear.q)
      EXPECT_NEAR(std::remainder(angle, 2 * M_PI), 0.0, 1e-9) << mass;
    EXPECT_LT(found.linear.v_dot.norm(), 1e-7);
  }
}

// A bar that stands on a spring too weak for it falls as slowly as it is, beside another on a
// spring of any stiffness.
TEST(Equilibrium, SlowGrowthIsSeenBesideAStiffSpring) {
  constexpr double kMissing = 1e-3;  // N m / rad
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {-9.81, 0.0, 0.0};
  mechanism.add(bar("stiff", 1.0, 0.1, 0.01)).add(bar("slow", 1.0, 1.0, 0.1));
  mechanism.add(pin("A", kGround, "stiff")).add(pin("B", kGround, "slow"));
  mechanism.add(JointSpringDamper{"A", 1e8, 0.0, 0.0, {}});
  mechanism.add(JointSpringDamper{"B", 9.81 - kMissing, 0.0, 0.0, {}});
  const Model model(mechanism);
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  const auto found = equilibrium(pose);
  EXPECT_NEAR(found.growth, std::sqrt(kMissing / 1.1), 1e-9);
  EXPECT_FALSE(found.stable);
}

TEST(Equilibrium, TellsWhatIsIndifferent) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {9.81, 0.0, 0.0};
  mechanism.add(bar("bar", 1.3, 0.4, 0.09)).add(bar("wheel", 1.0, 0.0, 0.1));
  mechanism.add(pin("pin", kGround, "bar", 0.0, 0.5)).add(pin("hub", kGround, "wheel"));
  const Model model(mechanism);
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  const auto found = equilibrium(pose);
  EXPECT_TRUE(found.stable);
  EXPECT_TRUE(found.indifferent);
}

// Of three equal bars that carry a beam one is a little too short, as a file rounds it.
TEST(Equilibrium, RowsOfRoundedNumbersAreClosedAsTheRunDoes) {
  const double omega =
      std::sqrt(9.81 * (3 * 0.6 * 0.25 + 0.6 * 0.5) / (3 * (0.0125 + 0.6 * 0.0625) + 0.6 * 0.25));
  for (const double rounding : {1e-10, 1e-7}) {
    const auto model = shipped(
        "parallelogram", {"joint.B_3.at_parent.position=[0, " + to_text(-0.5 - rounding) + ", 0]"});
    ModelAtPose pose(model, 0.0, initial_state(model).q);
    const auto found = equilibrium(pose);
    EXPECT_TRUE(found.stable);
    const auto all = analysis::modes(found.linear);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NEAR(all[0].frequency * 2 * M_PI, omega, 10.0 * rounding);
  }
}

TEST(Equilibrium, RefusesAPoseWhoseLoopsStayOpen) {
  auto mechanism = FourBar::mechanism(SpaceKind::kPlanar, 0.6);
  const Model model(mechanism);
  const VectorXd q = initial_state(model).q;
  for (auto& joint : mechanism.joints) {
    if (joint.parent == kGround) joint.at_parent.position *= 10.0;
  }
  try {
    ModelAtPose(Model(mechanism), 0.0, q);
    FAIL();
  } catch (const ModelError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("the loops do not close at this pose: the loop that joint \""),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("stays open by "), std::string::npos) << said;
  }
}

// Nothing holds a slider that gravity pulls along.
TEST(Equilibrium, RefusesWhatNothingHolds) {
  Mechanism mechanism;
  mechanism.name = "slide";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {9.81, 0.0, 0.0};
  mechanism.add(bar("block", 1.0, 0.0, 0.1));
  auto slide = pin("slide", kGround, "block");
  slide.type = JointType::kPrismatic;
  mechanism.add(slide);
  const auto message = [](const Model& model) -> std::string {
    try {
      ModelAtPose pose(model, 0.0, initial_state(model).q);
      equilibrium(pose);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message(Model(mechanism)),
            "t = 0 s: no equilibrium of slide was found: its loads push joint \"slide\" on and on");
  mechanism.joints.back().guess_q.reset();
  mechanism.joints.back().drive = Sine{0.0, 0.3, 1.0, 0.0};
  mechanism.add(bar("bob", 1.0, 0.2, 0.1));
  mechanism.add(pin("swing", "block", "bob"));
  EXPECT_EQ(message(Model(mechanism)),
            "joint \"slide\" is moved at this time, by its drive or its parent_motion: there is no "
            "equilibrium");
}

// A bead on a rope is pulled to the end of the rope, where its force has no direction: steps become
// short, but forces do not balance.
TEST(Equilibrium, RefusesTheEndOfARope) {
  Mechanism mechanism;
  mechanism.name = "bead";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {-5.0, 0.0, 0.0};
  mechanism.add(bar("carrier", 0.1, 0.0, 0.1));
  mechanism.add(bar("bead", 1.0, 0.0, 0.1));
  auto along = pin("along", kGround, "carrier"), across = pin("across", "carrier", "bead");
  along.type = across.type = JointType::kPrismatic;
  along.initial_q = VectorXd::Constant(1, 0.3);
  across.initial_q = VectorXd::Constant(1, 0.1);
  across.at_parent.rotation = across.at_child.rotation =
      Eigen::AngleAxisd(0.5 * M_PI, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  mechanism.add(along).add(across);
  PointSpringDamper rope;
  rope.name = "rope";
  rope.points = {{kGround, {0.0, 0.0, 0.0}}, {"bead", {0.0, 0.0, 0.0}}, {kGround, {1.0, 0.0, 0.0}}};
  rope.stiffness = 10.0;
  rope.rest_length = 0.3;
  mechanism.add(rope);
  const Model model(mechanism);
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  try {
    equilibrium(pose);
    FAIL() << "the rope ends where the bead goes";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("are left where steps end"), std::string::npos)
        << error.what();
  }
}

// Stretched out flat a chain has no stiffness at all, and folds on its way.
TEST(Equilibrium, ChainsThatStartFlatHangDown) {
  for (const int count : {5, 20, 80}) {
    Mechanism chain;
    chain.space = SpaceKind::kPlanar;
    chain.gravity = {0.0, -9.81, 0.0};
    for (int i = 0; i < count; ++i) {
      const std::string link = "link_" + std::to_string(i);
      const std::string before = i == 0 ? kGround : chain.bodies.back().name;
      chain.add(bar(link, 0.1, 0.05, 1e-4));
      chain.add(pin("pin_" + std::to_string(i), before, link, i == 0 ? 0.0 : 0.1));
    }
    const Model model(chain);
    ModelAtPose pose(model, 0.0, initial_state(model).q);
    const auto found = equilibrium(pose);
    VectorXd hanging = VectorXd::Zero(count);
    hanging(0) = -M_PI / 2;
    std::printf("  %d links: %d steps, off by %.1e rad\n", count, found.steps,
                (found.linear.q - hanging).norm());
    EXPECT_LT((found.linear.q - hanging).norm(), 1e-9);
    EXPECT_TRUE(found.stable);
    EXPECT_LT(found.steps, 20);
  }
}

// An arm on a ball, and a load that floats and is tied to it by another: each hangs below its ball,
// wherever steps over whole radians, with the loop closed anew after each, have come from.
TEST(Equilibrium, LoadsOnBallsHangBelowThem) {
  constexpr unsigned kSeed = 11;
  int most_steps = 0;
  for (unsigned i = 0; i < 100; ++i) {
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    std::mt19937 random(kSeed + i);
    std::normal_distribution<double> normal;
    const auto vector = [&](double size) {
      return Eigen::Vector3d(size * normal(random), size * normal(random), size * normal(random));
    };
    Mechanism mechanism;
    mechanism.space = SpaceKind::kSpatial;
    mechanism.gravity = vector(6.0);
    mechanism.add(bar("arm", 1.0, 0.0, 0.1)).add(bar("load", 2.0, 0.0, 0.1));
    for (auto& body : mechanism.bodies) body.com = vector(0.5);
    auto ball = pin("ball", kGround, "arm"), tie = pin("tie", "arm", "load");
    ball.type = tie.type = JointType::kSpherical;
    tie.at_parent.position = vector(1.0);
    tie.at_child.position = vector(1.0);
    tie.cut = true;
    auto floating = pin("floating", kGround, "load");
    floating.type = JointType::kFree;
    for (auto* joint : {&ball, &tie, &floating}) joint->guess_q = {};
    mechanism.add(ball).add(tie).add(floating);
    const Model model(mechanism);
    ModelAtPose pose(model, 0.0, initial_state(model).q);
    const auto found = equilibrium(pose);
    most_steps = std::max(most_steps, found.steps);
    EXPECT_TRUE(found.stable);
    const auto &arm = mechanism.bodies[0], &load = mechanism.bodies[1];
    const double lever = (arm.mass * arm.com + load.mass * tie.at_parent.position).norm() +
                         load.mass * (load.com - tie.at_child.position).norm();
    EXPECT_NEAR(potential(model, found.linear.q), -mechanism.gravity.norm() * lever, 1e-9);
  }
  std::printf("  %d steps at most\n", most_steps);
  EXPECT_LT(most_steps, 40);
}

// A hundred hanging linkages with loops: forces balance, and displaced along any motion the
// potential energy grows.
TEST(Equilibrium, RandomHangingLinkages) {
  constexpr unsigned kSeed = 7;
  int found_count = 0, most_steps = 0;
  double worst = 0.0;
  for (unsigned i = 0; found_count < 100; ++i) {
    ASSERT_LT(i, 200U) << "from seed " << kSeed;
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    PlanarLinkages random(kSeed + i);
    auto mechanism = random.graph(4 + static_cast<int>(i % 6), static_cast<int>(i % 3));
    mechanism.gravity = {0.0, -9.81, 0.0};
    const Model model(mechanism);
    VectorXd q;
    try {
      q = initial_state(model).q;
    } catch (const ModelError&) {
      continue;  // drawn so that it cannot be put together
    }
    ModelAtPose pose(model, 0.0, q);
    if (pose.freedom() == 0) continue;
    const auto found = equilibrium(pose);
    ++found_count;
    most_steps = std::max(most_steps, found.steps);
    worst = std::max(worst, found.unbalanced);
    EXPECT_TRUE(found.stable) << "growth " << found.growth;
    const double least = potential(model, found.linear.q);
    const VectorXd rest = found.linear.q;
    for (int k = 0; k < pose.freedom(); ++k) {
      for (const double side : {-1e-3, 1e-3}) {
        ASSERT_TRUE(pose.place(rest));
        ASSERT_TRUE(pose.move(side * VectorXd::Unit(pose.freedom(), k)));
        EXPECT_GT(potential(model, pose.q()), least);
      }
    }
  }
  std::printf("  %u steps at most, forces balance to %.1e\n", most_steps, worst);
}

}  // namespace
}  // namespace hamiltree::test
