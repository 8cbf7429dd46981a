// Runs of spatial loops for ten seconds at tight tolerances against quadruple precision.
#include "simulation/quadruple_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "hamiltree/simulation/initial_state.hpp"
#include "support/recorded.hpp"
#include "support/wide_motion.hpp"

namespace hamiltree {
namespace {

using SpatialMotion = test::WideMotion<Spatial<double>>;

// From the start of the mechanism; all its numbers moved by `relative`, with signs that alternate.
SpatialMotion wide_motion(const Model& model, double relative) {
  const auto start = initial_state(model);
  const auto widened = [&](const Eigen::VectorXd& x) {
    SpatialMotion::Quads wide;
    for (Eigen::Index i = 0; i < x.size(); ++i)
      wide.push_back(Quad(x(i)) * (Quad(1.0) + Quad(i % 2 == 0 ? relative : -relative)));
    return wide;
  };
  return SpatialMotion(std::get<System<Spatial<double>>>(model.tables()), widened(start.q),
                       widened(start.v));
}

double largest_change(const SpatialMotion::Quads& a, const SpatialMotion::Quads& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(to_double(a[i] - b[i])));
  return largest;
}

// In the extended tests, and to make quadruple_runs.hpp, whose lines it prints.
TEST(QuadrupleRuns, DISABLED_AreThoseCommitted) {
  constexpr double kMoved = 1e-20;
  for (const char* mechanism : {"bennett", "bricard", "rssr", "spatial_slider_crank"}) {
    const auto committed = std::ranges::find(test::kQuadrupleRuns, std::string(mechanism),
                                             &test::QuadrupleRun::mechanism);
    const Model model = test::shipped(mechanism);
    auto motion = wide_motion(model, 0.0), moved = wide_motion(model, kMoved);
    std::printf("    {\"%s\",\n     {", mechanism);
    for (int second = 1; second <= 10; ++second) {
      motion.go_to(second);
      moved.go_to(second);
      std::printf("%s{%d, {", second == 1 ? "" : ",\n      ", second);
      for (std::size_t i = 0; i < motion.q().size(); ++i)
        std::printf("%s%.17g", i == 0 ? "" : ", ", to_double(motion.q()[i]));
      std::printf("}, %.1e}", largest_change(motion.q(), moved.q()) * (1e-16 / kMoved));
      if (committed == test::kQuadrupleRuns.end()) continue;
      const auto& sample = committed->samples[static_cast<std::size_t>(second - 1)];
      for (std::size_t i = 0; i < sample.q.size(); ++i)
        EXPECT_NEAR(to_double(motion.q()[i]), sample.q[i], 1e-15 * (1.0 + std::abs(sample.q[i])));
    }
    std::printf("}},  // %d steps\n", motion.steps());
    std::fflush(stdout);
    EXPECT_NE(committed, test::kQuadrupleRuns.end()) << mechanism;
  }
}

// The largest error of a coordinate at the seconds of ten, rad or m, by `auto`.
double largest_error(const std::string& mechanism, const Model& model, double tolerance) {
  const auto& wide =
      *std::ranges::find(test::kQuadrupleRuns, mechanism, &test::QuadrupleRun::mechanism);
  SimulationOptions options;
  options.integrator = Auto{tolerance, tolerance};
  options.dense_output = false;
  const auto start = initial_state(test::shipped(mechanism));
  const auto found = Simulation(model, options, State{0.0, start.q, start.p}).run_until(10.0, 1.0);
  double worst = 0.0, moved = 0.0;
  for (std::size_t i = 0; i < wide.samples.size(); ++i) {
    const auto& exact = wide.samples[i];
    const auto& q = found.samples[i + 1].q;
    EXPECT_EQ(found.samples[i + 1].t, exact.t);
    for (std::size_t k = 0; k < exact.q.size(); ++k)
      worst = std::max(worst, std::abs(q(static_cast<Eigen::Index>(k)) - exact.q[k]));
    moved = std::max(moved, exact.moved);
  }
  std::printf("%s at %.0e: %.1e; a start moved by 1e-16 makes %.1e\n", mechanism.c_str(), tolerance,
              worst, moved);
  return worst;
}

// Measured: 2.3e-11, 1.4e-12, 4e-11 and 1.9e-11.
TEST(QuadrupleRuns, AreMadeByAutoToTenDigits) {
  for (const char* mechanism : {"bennett", "bricard", "rssr", "spatial_slider_crank"})
    EXPECT_LE(largest_error(mechanism, test::shipped(mechanism), 1e-14), 1e-10) << mechanism;
}

// RSSR's coupler spins at 20 rad/s about an axis with a 200th of its other inertia, and nothing may
// change that: neither impulses at the rocker's point, by 2e-8 in the coordinates, nor momenta from
// velocities, by 1e-10 to 5e-10. Measured: 2.5e-11 and 1.9e-11.
TEST(QuadrupleRuns, OfASpinningCouplerKeepTheSpinWhicheverBodyIsTheChild) {
  auto mechanism = test::shipped("rssr").mechanism();
  auto& ball = *std::ranges::find(mechanism.joints, "C", &JointDescription::name);
  for (const bool is_parent : {true, false}) {
    EXPECT_EQ(ball.parent == "coupler", is_parent);
    for (const double tolerance : {1e-12, 1e-13})
      EXPECT_LE(largest_error("rssr", Model(mechanism), tolerance), 1e-10) << is_parent;
    std::swap(ball.parent, ball.child);
    std::swap(ball.at_parent, ball.at_child);
  }
}

}  // namespace
}  // namespace hamiltree
