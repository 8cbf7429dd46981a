// Formulations that leave space for a plane: what they say besides rates is what they say in space.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "support/random_mechanism.hpp"
#include "support/rates.hpp"
#include "support/same_motion.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;
using test::RandomMechanism;
using test::Topology;

constexpr FormulationOptions kInSpace{.plane = false};
constexpr double kTolerance = 1e-9;  // of any pose: some are near-singular

class LeavesSpace : public testing::TestWithParam<const char*> {};

// Off the loops, with momenta that lean on them, drives and the leaky gauge.
TEST_P(LeavesSpace, WithImpulsesProjectionLeakAndPower) {
  int driven = 0, in_plane = 0, projected = 0;
  for (const auto topology : {Topology::kSingleLoop, Topology::kFloatingLoop}) {
    for (std::uint64_t seed = 1; seed <= 250; ++seed) {
      SCOPED_TRACE(std::string(to_name(topology)) + ", seed " + std::to_string(seed));
      RandomMechanism random(seed);
      const Model model(random.make_in_one_plane(topology, test::Extent::kFull));
      if (!choice_of(GetParam(), model).plane) continue;
      // Impulses of couplings on joints that are not in the state are no part of this.
      if (!model.mechanism().couplings.empty()) continue;
      ++in_plane;
      const VectorXd q = model.visit([&](const auto& system) {
        return random.closed_pose(model, system);
      }) + random.vector(model.coordinate_count(), 1e-3);
      const VectorXd p = random.vector(model.velocity_count());
      const StateView state{RandomMechanism::kTime, q.data(), p.data()};
      const auto plane = make_formulation(GetParam(), model);
      const auto space = make_formulation(GetParam(), model, kInSpace);
      const auto motion = test::expect_same_motion(model, *plane, *space, state, kTolerance);
      driven += motion.power.driven != 0.0;
      projected += motion.gap > 1e-6;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(in_plane, 50);
  EXPECT_GT(driven, 5);
  EXPECT_GT(projected, 50);
}

INSTANTIATE_TEST_SUITE_P(Formulations, LeavesSpace, testing::Values("hdca", "recursive"));

Mechanism pins(int bodies, bool alternating) {
  Mechanism m;
  m.name = "pins";
  m.space = SpaceKind::kSpatial;
  m.gravity = {0.0, 3.0, -9.81};
  std::string parent = kGround;
  for (int b = 0; b < bodies; ++b) {
    BodyDescription body;
    body.name = "b" + std::to_string(b);
    body.mass = 1.0 + 0.1 * (b % 3);
    body.com = {0.5, 0.1, 0.2};
    body.inertia = Eigen::Vector3d(0.1, 0.15, 0.2).asDiagonal();
    m.add(body);
    JointDescription joint;
    joint.name = "j" + std::to_string(b);
    joint.parent = parent;
    joint.child = body.name;
    joint.at_parent.position = {1.0, 0.0, 0.1};
    if (alternating && b % 2 == 1) {
      const Eigen::Matrix3d flip = Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal();
      joint.at_parent.rotation = joint.at_child.rotation = flip;
    }
    m.add(joint);
    parent = body.name;
  }
  return m;
}

// Parallel pins are as fast in DH frames in space, one by one; lanes are faster in the plane.
TEST(LeavesSpace, TreesOfPinsForLanesOnly) {
  EXPECT_FALSE(choice_of("recursive", Model(pins(7, false))).plane);
  EXPECT_TRUE(choice_of("recursive", Model(pins(64, false))).plane);
  EXPECT_FALSE(choice_of("recursive", Model(pins(64, false)), {.lanes = LaneChoice::kNever}).plane);
  EXPECT_FALSE(choice_of("recursive", Model(pins(64, true))).plane);  // would run against the tree
  EXPECT_TRUE(choice_of("hdca", Model(pins(7, true))).plane);
  EXPECT_FALSE(choice_of("hdca", Model(pins(7, true)), kInSpace).plane);
  for (const char* reference : {"dense", "aba", "dca"}) {
    EXPECT_FALSE(choice_of(reference, Model(pins(64, false))).plane) << reference;
  }
}

TEST(LeavesSpace, WithTheEnergiesOfItsScrewFrames) {
  const Model model(pins(64, false));
  const auto formulation = make_formulation("recursive", model);
  EXPECT_NE(formulation->plan().find("in lanes"), std::string::npos) << formulation->plan();
  EXPECT_TRUE(formulation->plan().ends_with(", in the plane normal to 0 0 1"))
      << formulation->plan();
  const auto workspace = formulation->make_workspace();
  RandomMechanism random(1);
  const auto energies_at = [&](const VectorXd& q, const VectorXd& p) {
    const StateView state{0.0, q.data(), p.data()};
    EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
    return *formulation->energies(state, *workspace);
  };
  const auto potential_at = [&](const VectorXd& q) {
    return model.visit([&]<class Space>(const System<Space>& system) {
      Kinematics<Space> kin(system);
      place(system, 0.0, q.data(), kin);
      double sum = 0.0;
      for (int b = 0; b < system.body_count(); ++b) {
        sum -= system.body(b).mass * system.gravity.dot(kin.pose(b) * system.body(b).com);
      }
      return sum;
    });
  };
  const VectorXd q = random.vector(64), p = random.vector(64), other = random.vector(64);
  const auto here = energies_at(q, p), there = energies_at(other, p);
  EXPECT_NEAR(here.potential - there.potential, potential_at(q) - potential_at(other), 1e-9);
  EXPECT_NEAR(here.kinetic, 0.5 * p.dot(test::rates("recursive", model, 0.0, q, p, kInSpace).v),
              1e-10 * here.kinetic);
}

}  // namespace
}  // namespace hamiltree
