// Runs of spatial loops for ten seconds at tight tolerances against quadruple precision.
#include "simulation/quadruple_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

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

// Measured: 3e-11, 5e-12, 5e-10 and 4e-11. RSSR's coupler spins at 20 rad/s about an axis with a
// 200th of its other inertia, see docs/reliability.md.
TEST(QuadrupleRuns, AreMadeByAutoToTenDigits) {
  struct Row {
    const char* mechanism;
    double allowed;
  };
  for (const auto& [mechanism, allowed] : {Row{"bennett", 1e-10}, Row{"bricard", 1e-10},
                                           Row{"rssr", 3e-9}, Row{"spatial_slider_crank", 1e-10}}) {
    const auto& wide = *std::ranges::find(test::kQuadrupleRuns, std::string(mechanism),
                                          &test::QuadrupleRun::mechanism);
    SimulationOptions options;
    options.integrator = Auto{1e-14, 1e-14};
    options.dense_output = false;
    const auto found = Simulation(test::shipped(mechanism), options).run_until(10.0, 1.0);
    double worst = 0.0, moved = 0.0;
    for (std::size_t i = 0; i < wide.samples.size(); ++i) {
      const auto& exact = wide.samples[i];
      const auto& q = found.samples[i + 1].q;
      ASSERT_EQ(found.samples[i + 1].t, exact.t);
      for (std::size_t k = 0; k < exact.q.size(); ++k)
        worst = std::max(worst, std::abs(q(static_cast<Eigen::Index>(k)) - exact.q[k]));
      moved = std::max(moved, exact.moved);
    }
    std::printf("%s: %.1e; a start moved by 1e-16 makes %.1e\n", mechanism, worst, moved);
    EXPECT_LE(worst, allowed) << mechanism;
  }
}

}  // namespace
}  // namespace hamiltree
