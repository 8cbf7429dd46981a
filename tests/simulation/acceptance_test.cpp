// The mechanisms of the papers, held to what the engine promises of them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::shipped;

Summary run_accepted(const Model& model, double tolerance, double until) {
  Simulation simulation(model, {.integrator = DormandPrince{tolerance, tolerance}});
  return simulation.run_until(until, 0.02).summary;
}

struct FourBarCase {
  const char* mechanism;
  double tolerance, energy_error;
};

class FourBar : public testing::TestWithParam<FourBarCase> {};

// Measured: energy 3e-8 at 1e-9 and 4e-11 at 1e-12, velocity 5e-15 m/s, position 4e-16 m.
TEST_P(FourBar, KeepsEnergyAndLoop) {
  const auto summary = run_accepted(shipped(GetParam().mechanism), GetParam().tolerance, 10.0);
  std::printf("%s at %g: energy %.2g, velocity %.2g m/s, position %.2g m, %ld evaluations\n",
              GetParam().mechanism, GetParam().tolerance, summary.energy.max_relative_error,
              summary.constraint.velocity_max, summary.constraint.position_max,
              summary.rate_evaluations);
  EXPECT_LE(summary.constraint.velocity_max, 1e-12);
  EXPECT_LE(summary.constraint.position_max, 1e-11);
  EXPECT_LE(summary.energy.max_relative_error, GetParam().energy_error);
  EXPECT_EQ(summary.model.degrees_of_freedom, 1);
}

INSTANTIATE_TEST_SUITE_P(Turno2023, FourBar,
                         testing::Values(FourBarCase{"four_bar", 1e-9, 1e-7},
                                         FourBarCase{"four_bar", 1e-12, 1e-10},
                                         FourBarCase{"four_bar_spatial", 1e-9, 1e-7},
                                         FourBarCase{"four_bar_spatial", 1e-12, 1e-10}));

// Pins that turn about the same direction constrain more than they need: 3 of 5 rows are left over.
TEST(FourBarSpatial, KnowsItsRedundantPins) {
  const auto summary = run_accepted(shipped("four_bar_spatial"), 1e-6, 0.1);
  EXPECT_EQ(summary.model.redundant_constraints, 3);
  EXPECT_EQ(summary.model.degrees_of_freedom, 1);
}

TEST(FourBarSpatial, DenseCountsTheSameRedundantRows) {
  Simulation simulation(shipped("four_bar_spatial"), {.formulation = "dense"});
  const auto summary = simulation.run_until(0.01).summary;
  EXPECT_EQ(summary.model.redundant_constraints, 3);
  EXPECT_EQ(summary.model.degrees_of_freedom, 1);
}

// The same mechanism in the plane and in space is the same motion.
TEST(FourBarSpatial, MovesAsThePlanarOne) {
  Simulation planar(shipped("four_bar"), {.integrator = DormandPrince{1e-12, 1e-12}});
  Simulation spatial(shipped("four_bar_spatial"), {.integrator = DormandPrince{1e-12, 1e-12}});
  const auto a = planar.run_until(5.0, 0.1);
  const auto b = spatial.run_until(5.0, 0.1);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    EXPECT_LE((a.samples[i].q - b.samples[i].q).cwiseAbs().maxCoeff(), 1e-8) << a.samples[i].t;
  }
}

class Chadaj : public testing::TestWithParam<const char*> {};

// The right half mirrors the left; hanging poses do not amplify what breaks the symmetry.
TEST_P(Chadaj, KeepsMirrorSymmetry) {
  const auto model = shipped(GetParam());
  Simulation simulation(model, {.integrator = DormandPrince{1e-12, 1e-12}});
  const auto recording = simulation.run_until(10.0, 0.02);
  const auto half = recording.samples.front().q.size() / 2;
  double asymmetry = 0.0;
  double motion = 0.0;
  for (const auto& sample : recording.samples) {
    asymmetry =
        std::max(asymmetry, (sample.q.head(half) + sample.q.tail(half)).cwiseAbs().maxCoeff());
    motion = std::max(motion, (sample.q - recording.samples.front().q).cwiseAbs().maxCoeff());
  }
  std::printf("%s: asymmetry %.2g of a motion of %.2g rad, energy error %.2g\n", GetParam(),
              asymmetry, motion, recording.summary.energy.max_relative_error);
  EXPECT_LE(asymmetry, 1e-8);
  EXPECT_GT(motion, 0.1);
  EXPECT_LE(recording.summary.constraint.velocity_max, 1e-12);
  EXPECT_LE(recording.summary.constraint.position_max, 1e-11);
  EXPECT_LE(recording.summary.energy.max_relative_error, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Cases, Chadaj,
                         testing::Values("chadaj_case_1", "chadaj_case_2", "chadaj_case_3"));

// [Turno2023]: explicit Euler, 1e-4 s, 1 s, at rest. Its global error is of the order of the step.
class TurnoEuler : public testing::TestWithParam<const char*> {};

TEST_P(TurnoEuler, ConvergesToDormandPrince) {
  const auto model = shipped(GetParam());
  const auto end = [&](const Method& method) {
    Simulation simulation(model, {.integrator = method});
    return simulation.run_until(1.0, 0.5).samples.back();
  };
  const auto exact = end(DormandPrince{1e-12, 1e-12});
  const auto coarse = end(Euler{2e-4});
  const auto fine = end(Euler{1e-4});
  const double coarse_error = (coarse.q - exact.q).norm();
  const double fine_error = (fine.q - exact.q).norm();
  EXPECT_LE(fine_error, 0.2);  // measured: 0.15 rad of the four-bar, which whips round
  EXPECT_NEAR(std::log2(coarse_error / fine_error), 1.0, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, TurnoEuler, testing::Values("double_pendulum", "four_bar"));

// N-four-bar of the IFToMM benchmark with N = 2: bars of 1 m and 1 kg, flat every few seconds. Its
// exact one-degree-of-freedom solution after 10 s is known.
TEST(FlatPose, IsPassedOnTheRightBranch) {
  Mechanism mechanism;
  mechanism.name = "N-four-bar";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  const auto bar = [&](const std::string& name) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = {0.5, 0.0, 0.0};
    body.inertia(2, 2) = 1.0 / 12.0;
    mechanism.add(body);
  };
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child,
                       const Eigen::Vector3d& at_parent, const Eigen::Vector3d& at_child) {
    JointDescription joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position = at_parent;
    joint.at_child.position = at_child;
    mechanism.add(joint);
    return &mechanism.joints.back();
  };
  const Eigen::Vector3d base = Eigen::Vector3d::Zero();
  const Eigen::Vector3d tip = Eigen::Vector3d::UnitX();
  const auto angle = [](double degrees) {
    return Eigen::VectorXd(Eigen::VectorXd::Constant(1, degrees * std::numbers::pi / 180.0));
  };
  for (int i = 0; i < 3; ++i) bar("upright_" + std::to_string(i));
  for (int i = 0; i < 2; ++i) bar("coupler_" + std::to_string(i));
  for (int i = 0; i < 3; ++i) {
    auto* joint =
        pin("G" + std::to_string(i), kGround, "upright_" + std::to_string(i), i * tip, base);
    if (i == 0) {
      joint->initial_q = angle(90.0);
      joint->initial_v = Eigen::VectorXd(Eigen::VectorXd::Constant(1, -1.0));
    } else {
      joint->guess_q = angle(90.0);
    }
  }
  for (int i = 0; i < 2; ++i) {
    const std::string upright = "upright_" + std::to_string(i);
    const std::string next = "upright_" + std::to_string(i + 1);
    const std::string coupler = "coupler_" + std::to_string(i);
    pin("P" + std::to_string(i), upright, coupler, tip, base)->guess_q = angle(-90.0);
    pin("C" + std::to_string(i), next, coupler, tip, tip);
  }
  Simulation simulation(Model(mechanism), {.integrator = DormandPrince{1e-9, 1e-9}});
  const auto recording = simulation.run_until(10.0, 0.5);
  const double phi = recording.samples.back().q(0);
  const double error = std::hypot(std::cos(phi) - 0.328458111541, std::sin(phi) - 0.944518538179);
  std::printf("flat pose: error %.2g, %ld + %ld steps, energy error %.2g\n", error,
              recording.summary.steps, recording.summary.rejected_steps,
              recording.summary.energy.max_relative_error);
  EXPECT_LE(error, 1e-7);
  EXPECT_LE(recording.summary.energy.max_relative_error, 1e-8);
  ASSERT_FALSE(recording.summary.notes.empty());
  EXPECT_NE(recording.summary.notes.front().find("along a branch of motion"), std::string::npos);
}

}  // namespace
}  // namespace hamiltree
