// Runs that start at a singular pose which the file leaves to be solved for, or a little beside
// one, as where its numbers are rounded. A crank and a rod of one length move a slider: with the
// crank upright the slider is on the crank's pin, and rod and crank may go on as one, or
//   q_S = 2 l cos q_A
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/folded.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::Bars;
using test::column;
using test::folded_four_bar;
using test::joint_of;
using test::run;

constexpr double kLength = 0.2, kUpright = 0.5 * std::numbers::pi, kSpeed = 5.0;

Eigen::VectorXd single(double value) { return Eigen::VectorXd::Constant(1, value); }

Mechanism slider_crank(double rod, std::optional<double> angle) {
  Bars bars(SpaceKind::kPlanar, Eigen::Vector3d::Zero());
  bars.bar("crank", kLength);
  bars.bar("rod", rod);
  bars.bar("slider", 0.1);
  auto& crank = bars.pin("A", "ground", "crank", 0.0);
  if (angle) crank.initial_q = single(*angle);
  bars.pin("B", "crank", "rod", kLength);
  bars.pin("C", "rod", "slider", rod);
  bars.pin("S", "ground", "slider", 0.0).type = JointType::kPrismatic;
  return bars.mechanism();
}

// Its rod folded back over the crank, or nearly.
Mechanism folded_slider_crank(double angle, double guess = 3.0) {
  auto m = slider_crank(kLength, angle);
  joint_of(m, "A").initial_v = single(kSpeed);
  joint_of(m, "C").guess_q = single(guess);
  return m;
}

std::string why_refused_at_start(const Mechanism& mechanism) {
  try {
    Simulation(Model(mechanism), {}).run_until(0.1, 0.1);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

double off_its_way(const Recording& found, double diameter) {
  const auto angle = column(found, "q.A"), slide = column(found, "q.S");
  double off = 0.0;
  for (std::size_t i = 0; i < angle.size(); ++i)
    off = std::max(off, std::abs(slide[i] - diameter * std::cos(angle[i])));
  return off;
}

// Steps towards such a pose only halve the way, and rounding ended them 3e-7 rad before it.
TEST(StartAtASolvedPose, IsExact) {
  const Model model(folded_slider_crank(kUpright));
  const auto start = initial_state(model);
  const double angle = start.q(*model.find_joint("B")) - std::numbers::pi;
  EXPECT_NEAR(std::remainder(angle, 2.0 * std::numbers::pi), 0.0, 1e-9);
  const auto said = why_refused_at_start(folded_slider_crank(kUpright));
  EXPECT_NE(said.find("2 motions meet"), std::string::npos) << said;
}

TEST(StartAtASolvedPose, TakesTheMotionOfTheVelocities) {
  auto m = folded_slider_crank(kUpright);
  joint_of(m, "S").initial_v = single(-2.0 * kLength * kSpeed);
  const auto found = run(Model(m), "auto", 1e-9, 0.2, 0.02);
  EXPECT_LT(off_its_way(found, 2.0 * kLength), 1e-9);
  EXPECT_LT(found.summary.energy.max_error, 1e-7);
}

// At its dead centre a piston that is driven leaves the way of its crank open. With a rod of l and
// a crank of r, to second order,  r (1 + r / l) q_A^2 = a (omega t)^2.
TEST(StartAtASolvedPose, TakesTheMotionOfTheKeyWhereDrivesDoNotDecide) {
  auto m = slider_crank(1.5 * kLength, {});
  joint_of(m, "A").guess_q = single(0.1);
  const Sine drive{2.0 * kLength, 0.5 * kLength, 1.0, kUpright};
  joint_of(m, "S").drive = drive;
  const auto said = why_refused_at_start(m);
  EXPECT_NE(said.find("its drives do not decide"), std::string::npos) << said;
  for (const int branch : {1, 2}) {
    joint_of(m, "C").branch = branch;
    const auto found = run(Model(m), "auto", 1e-9, 0.02, 0.01);
    const double rate = 2.0 * std::numbers::pi * std::sqrt(0.5 / (1.0 + 1.0 / 1.5));
    EXPECT_NEAR(column(found, "q.A")[1], (branch == 1 ? 0.01 : -0.01) * rate, 1e-5);
  }
}

// Coordinates as they are written by hand: both roots are near each other, and one of them is the
// pose. Velocities were those of a pose that had been tried on the way.
TEST(StartBesideASingularPose, IsOnTheMotionThatItsPoseIsOn) {
  for (const double angle : {1.57079, 1.5708}) {
    const Model model(folded_slider_crank(angle));
    const double rate = initial_state(model).v(*model.find_joint("B"));
    const bool is_folded = std::abs(rate) < 1e-2;
    if (!is_folded) {
      EXPECT_NEAR(rate, -2.0 * kSpeed, 1e-2) << angle;
    }
    const auto found = run(model, "auto", 1e-9, 0.2, 0.02);
    EXPECT_LT(off_its_way(found, is_folded ? 0.0 : 2.0 * kLength), 1e-9) << angle;
    EXPECT_LT(found.summary.energy.max_error, 1e-8) << angle;
  }
}

TEST(StartBesideASingularPose, RefusesVelocitiesOfAnotherMotion) {
  auto m = folded_slider_crank(1.5708);
  joint_of(m, "B").guess_q = single(std::numbers::pi);
  joint_of(m, "S").initial_v = single(-2.0 * kLength * kSpeed);
  const auto said = why_refused_at_start(m);
  EXPECT_NE(said.find("starts beside a singular pose, on a motion that the velocities given miss"),
            std::string::npos)
      << said;
}

// Rows that are weak are not taken for rows that rounding makes contradict others.
TEST(StartBesideASingularPose, ClosesItsLoops) {
  auto m = slider_crank(kLength, 1.5708);
  joint_of(m, "A").initial_v = single(kSpeed);
  const auto found = run(Model(m), "auto", 1e-9, 0.2, 0.02);
  EXPECT_LT(found.summary.constraint.position_max, 1e-13);
  EXPECT_LT(found.summary.energy.max_error, 1e-7);
}

// The velocity of one joint is met by both motions.
TEST(StartAtASingularPose, TakesTheKeyBesideAVelocityThatItsMotionMeets) {
  for (const auto& [branch, ratio] : {std::pair{1, 1.0}, std::pair{2, -3.0}}) {
    auto m = folded_four_bar({}, SpaceKind::kPlanar, {0.0, -9.81, 0.0},
                             {0.3, std::nan(""), std::nan("")});
    joint_of(m, "C").branch = branch;
    const auto found = run(Model(m), "auto", 1e-9, 0.02, 0.01);
    EXPECT_NEAR(column(found, "v.A").front(), 0.3, 1e-12);
    EXPECT_NEAR(column(found, "v.D").front(), 0.3 * ratio, 1e-9);
  }
}

}  // namespace
}  // namespace hamiltree
