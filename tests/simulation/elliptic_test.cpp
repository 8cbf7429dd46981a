// Published mechanisms whose motion is known in Jacobi's elliptic functions, as their pages say.
#include "support/elliptic.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "support/gravity.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::error;
using test::jacobi;
using test::kGravity;
using test::quarter_period;
using test::run;
using test::shipped;

class Elliptic : public testing::TestWithParam<const char*> {
 protected:
  const char* formulation() const { return GetParam(); }
};

// A vector of three columns at sample i.
Eigen::Vector3d vector_at(const Recording& recording, const std::string& name, std::size_t i) {
  return {column(recording, name + ".x")[i], column(recording, name + ".y")[i],
          column(recording, name + ".z")[i]};
}

TEST_P(Elliptic, PendulumFromTheHorizontal) {
  const auto recording = run(shipped("iftomm_a01_pendulum"), formulation(), 1e-13, 10.0, 0.1);
  const double w = std::sqrt(kGravity);
  const auto at = [&](double t) { return jacobi(quarter_period(0.5) - w * t, 0.5); };
  const double angle = error(recording, "q.theta", [&](double t) {
    return 1.5 * std::numbers::pi - 2.0 * std::asin(std::sqrt(0.5) * at(t).sn);
  });
  const double rate =
      error(recording, "v.theta", [&](double t) { return std::sqrt(2.0) * w * at(t).cn; });
  std::printf("%s: angle %.2g rad, rate %.2g rad/s, energy %.2g\n", formulation(), angle, rate,
              recording.summary.energy.max_relative_error);
  EXPECT_LE(angle, 1e-10);
  EXPECT_LE(rate, 1e-10);
  EXPECT_LE(recording.summary.energy.max_relative_error, 1e-11);
}

// On the branch of the parallelogram, N four-bars are one pendulum that goes round: all uprights
// turn by phi, no beam turns. Twice in every turn they lie flat and could fold.
struct FourBars {
  int windows;
  double tolerance, until;
  double angle_bound, energy_bound;  // rad, J
  bool is_followed;                  // through the flat poses, instead of passing with a mask
};

class FourBarsInARow : public testing::TestWithParam<std::tuple<const char*, FourBars>> {};

TEST_P(FourBarsInARow, StayParallelAndTurnAsOnePendulum) {
  const auto& [formulation, row] = GetParam();
  const int N = row.windows;
  const auto model = shipped("iftomm_a02_four_bars_" + std::to_string(N));
  const auto recording = run(model, formulation, row.tolerance, row.until, 0.02);
  const double a = kGravity * ((N + 1) / 2.0 + N) / ((N + 1) / 3.0 + N);
  const double W = std::sqrt(a + 0.25);
  const double m = a / (a + 0.25);
  const auto phi = [&](double t) {
    return -2.0 * jacobi(W * t - quarter_period(m), m).am - std::numbers::pi;
  };
  double angle = 0.0;
  for (int i = 0; i <= N; ++i) {
    angle = std::max(angle, error(recording, "q.A_" + std::to_string(i), phi));
  }
  const auto upright = column(recording, "q.A_0");
  double turn_of_beam = 0.0;
  for (int i = 1; i <= N; ++i) {
    const auto beam = column(recording, "q.left_" + std::to_string(i));
    for (std::size_t k = 0; k < beam.size(); ++k) {
      turn_of_beam = std::max(turn_of_beam, std::abs(upright[k] + beam[k]));
    }
  }
  double energy = 0.0;
  for (const auto& sample : recording.samples) {
    energy = std::max(energy, std::abs(sample.kinetic_energy + sample.potential_energy -
                                       recording.summary.energy.initial));
  }
  const auto& summary = recording.summary;
  std::printf("N = %d by %s: angle %.2g of %.3g rad, beams turn by %.2g, energy %.2g J, %.2g s\n",
              N, formulation, angle, phi(row.until), turn_of_beam, energy, summary.wall_seconds);
  EXPECT_LE(angle, row.angle_bound);
  EXPECT_LE(turn_of_beam, 1e-10);
  EXPECT_LE(energy, row.energy_bound);
  ASSERT_FALSE(summary.notes.empty());
  const char* how = row.is_followed ? "along a branch of motion" : "near-singular at joint";
  EXPECT_NE(summary.notes.front().find(how), std::string::npos);
}

// Measured: 5e-10 rad and 8e-11 J; 2e-12 rad and 3e-10 J.
INSTANTIATE_TEST_SUITE_P(
    Formulations, FourBarsInARow,
    testing::Combine(testing::Values("hdca", "recursive"),
                     testing::Values(FourBars{2, 1e-13, 20.0, 5e-9, 1e-9, true},
                                     FourBars{40, 1e-9, 2.0, 5e-9, 5e-7, false},
                                     FourBars{40, 1e-11, 2.0, 5e-11, 2e-9, true})),
    [](const auto& info) {
      const auto& row = std::get<1>(info.param);
      return std::string(std::get<0>(info.param)) + "_" + std::to_string(row.windows) +
             (row.is_followed ? "" : "_masked");
    });

// With u the height of the centre of mass over the pivot, udot^2 is a cubic of u with a root at the
// start, u = 0.
TEST_P(Elliptic, HeavyTop) {
  const auto recording = run(shipped("heavy_top"), formulation(), 1e-12, 2.0, 0.02);
  constexpr double J = 0.234375 + 15.0;  // across, about the pivot
  constexpr double J_axis = 0.46875;
  constexpr double precession = -4.61538;
  const double w = J_axis * 150.0 / J;
  const double b = 2.0 * 15.0 * kGravity / J;
  const double half_sum = 0.5 * (precession * precession + w * w);
  const double product = b * (2.0 * precession * w - b);
  const double root = std::sqrt(half_sum * half_sum - product);
  const double lowest = (half_sum - root) / b;
  const double third = (half_sum + root) / b;
  const double m = -lowest / (third - lowest);
  const double n = 0.5 * std::sqrt(b * (third - lowest));
  const double height = error(recording, "top.position.z", [&](double t) {
    return lowest * std::pow(jacobi(quarter_period(m) + n * t, m).cn, 2);
  });
  double vertical = 0.0;
  double axial = 0.0;
  for (std::size_t i = 0; i < recording.samples.size(); ++i) {
    const Eigen::Vector3d axis = vector_at(recording, "top.position", i);  // 1 m from the pivot
    const Eigen::Vector3d omega = vector_at(recording, "top.omega", i);
    const Eigen::Vector3d momentum = J * omega + (J_axis - J) * omega.dot(axis) * axis;
    vertical = std::max(vertical, std::abs(momentum.z() - J * precession));
    axial = std::max(axial, std::abs(momentum.dot(axis) - J_axis * 150.0));
  }
  std::printf("%s: height %.2g m, momentum about the vertical %.2g, about the axis %.2g of 70\n",
              formulation(), height, vertical, axial);
  EXPECT_LE(height, 1e-9);
  EXPECT_LE(vertical, 2e-8);
  EXPECT_LE(axial, 1e-10);
}

// Euler's equations with J_x < J_y < J_z, starting at omega_z = 0 [Landau1976, sect. 37].
TEST_P(Elliptic, FreeBodyTurnsOver) {
  const auto recording = run(shipped("torque_free_body"), formulation(), 1e-13, 10.0, 0.1);
  const Eigen::Vector3d J(0.01, 0.02, 0.025);
  const Eigen::Vector3d start(0.5, 10.0, 0.0);
  const double twice_energy = start.dot(J.cwiseProduct(start));
  const double x = twice_energy * J.z() - J.cwiseProduct(start).squaredNorm();
  const double z = J.cwiseProduct(start).squaredNorm() - twice_energy * J.x();
  const double n = std::sqrt((J.y() - J.x()) * x / J.prod());
  const double m = (J.z() - J.y()) * z / ((J.y() - J.x()) * x);
  const auto at = [&](double t) { return jacobi(quarter_period(m) + n * t, m); };
  const double largest_x = std::sqrt(x / (J.x() * (J.z() - J.x())));
  const double largest_y = std::sqrt(z / (J.y() * (J.y() - J.x())));
  const double largest_z = std::sqrt(z / (J.z() * (J.z() - J.x())));
  const double worst = std::max(
      {error(recording, "v.free.omega_x", [&](double t) { return largest_x * at(t).dn; }),
       error(recording, "v.free.omega_y", [&](double t) { return largest_y * at(t).sn; }),
       error(recording, "v.free.omega_z", [&](double t) { return largest_z * at(t).cn; })});
  const double straight =
      std::max({error(recording, "body.position.x", [](double t) { return 0.3 * t; }),
                error(recording, "body.position.y", [](double t) { return -0.2 * t; }),
                error(recording, "body.position.z", [](double t) { return 0.1 * t; })});
  double momentum = 0.0;
  for (std::size_t i = 0; i < recording.samples.size(); ++i) {
    const auto q = [&](const char* part) {
      return column(recording, "body.quat_" + std::string(part))[i];
    };
    const Eigen::Matrix3d R = Eigen::Quaterniond(q("w"), q("x"), q("y"), q("z")).matrix();
    const Eigen::Vector3d L =
        R * J.asDiagonal() * R.transpose() * vector_at(recording, "body.omega", i);
    momentum = std::max(momentum, (L - J.cwiseProduct(start)).norm());
  }
  std::printf("%s: omega %.2g rad/s, position %.2g m, angular momentum %.2g of 0.2\n",
              formulation(), worst, straight, momentum);
  EXPECT_LE(worst, 1e-10);
  EXPECT_LE(straight, 1e-10);
  EXPECT_LE(momentum, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Elliptic, testing::Values("hdca", "recursive"));

}  // namespace
}  // namespace hamiltree
