// A run taken up at a checkpoint and the run that made it are the same bit for bit.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::shipped;

class Taken : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Taken, UpIsTheSameRun) {
  const auto& [mechanism, method] = GetParam();
  const Model model = shipped(mechanism);
  Simulation simulation(model, {.integrator = *method_from_name(method)});
  std::vector<Checkpoint> kept;
  simulation.on_checkpoint(0.11, [&](const Checkpoint& checkpoint) { kept.push_back(checkpoint); });
  const auto whole = simulation.run_until(0.5, 0.03);
  ASSERT_EQ(kept.size(), 5U);  // the first at the start
  for (const auto& checkpoint : kept) {
    auto later = Simulation::from_checkpoint(model, checkpoint);
    later.on_checkpoint(0.11, nullptr);
    Recording rest;
    later.resume(rest);
    const std::size_t before = whole.samples.size() - rest.samples.size();
    for (std::size_t i = 0; i < rest.samples.size(); ++i) {
      const auto& a = rest.samples[i];
      const auto& b = whole.samples[before + i];
      ASSERT_EQ(a.t, b.t);
      EXPECT_EQ(a.q, b.q);
      EXPECT_EQ(a.v, b.v);
      EXPECT_EQ(a.p, b.p);
      EXPECT_EQ(a.outside_q, b.outside_q);
      EXPECT_EQ(a.outside_v, b.outside_v);
      EXPECT_EQ(a.sensors, b.sensors);
      EXPECT_EQ(a.work.driven, b.work.driven);
    }
    EXPECT_EQ(rest.summary.steps, whole.summary.steps);
    EXPECT_EQ(rest.summary.rate_evaluations, whole.summary.rate_evaluations);
    EXPECT_EQ(rest.summary.velocity_solves, whole.summary.velocity_solves);
    EXPECT_EQ(rest.summary.energy.max_error, whole.summary.energy.max_error);
    EXPECT_EQ(rest.summary.constraint.position_max_before,
              whole.summary.constraint.position_max_before);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Taken,
    testing::Combine(testing::Values("four_bar", "bricard", "rssr", "spatial_arm", "heavy_top",
                                     "driven_slider_crank"),
                     testing::Values("dormand_prince", "adams", "bdf", "rk4", "spark_2")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(Checkpoint, OfAnotherMechanismIsRefused) {
  Simulation simulation(shipped("four_bar"));
  simulation.run_until(0.1);
  EXPECT_THROW(Simulation::from_checkpoint(shipped("bricard"), simulation.checkpoint()),
               UsageError);
}

// The restart is the only thing that a checkpoint changes.
TEST(Checkpoint, ChangesARunByNoMoreThanItsTolerance) {
  const Model model = shipped("four_bar");
  const auto plain = Simulation(model).run_until(1.0, 0.1);
  Simulation simulation(model);
  simulation.on_checkpoint(0.05, nullptr);
  const auto kept = simulation.run_until(1.0, 0.1);
  EXPECT_NE(kept.summary.steps, plain.summary.steps);
  EXPECT_LT((kept.samples.back().q - plain.samples.back().q).norm(), 1e-6);
}

}  // namespace
}  // namespace hamiltree
