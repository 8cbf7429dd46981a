// Outputs between steps: they cut none, are the motion to the order of the method, and lie on the
// loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>

#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::difference;
using test::shipped;

class OutputsOf : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(OutputsOf, AMotionDoNotChangeIt) {
  const auto& [mechanism, method] = GetParam();
  const Model model = shipped(mechanism);
  const SimulationOptions options{.integrator = *method_from_name(method)};
  constexpr double kUntil = 0.4;
  const auto few = Simulation(model, options).run_until(kUntil, kUntil);
  for (const double every : {kUntil / 500.0, 0.03, kEveryStep}) {
    const auto many = Simulation(model, options).run_until(kUntil, every);
    EXPECT_EQ(many.summary.steps, few.summary.steps);
    EXPECT_EQ(many.samples.back().q, few.samples.back().q) << every;
    EXPECT_EQ(many.samples.back().p, few.samples.back().p) << every;
    EXPECT_EQ(many.summary.energy.max_error, few.summary.energy.max_error);
    EXPECT_EQ(many.summary.constraint.position_max, few.summary.constraint.position_max);
    for (std::size_t i = 1; i < many.samples.size(); ++i)
      ASSERT_LT(many.samples[i - 1].t, many.samples[i].t);
  }
}

// Against runs that step to their outputs.
TEST_P(OutputsOf, AMotionLieOnItAndOnTheLoops) {
  const auto& [mechanism, method] = GetParam();
  const Model model = shipped(mechanism);
  SimulationOptions options{.integrator = *method_from_name(method)};
  constexpr double kUntil = 0.4, kEvery = kUntil / 100.0;
  const auto dense = Simulation(model, options).run_until(kUntil, kEvery);
  options.dense_output = false;
  const auto stepped = Simulation(model, options).run_until(kUntil, kEvery);
  ASSERT_EQ(dense.samples.size(), stepped.samples.size());
  const double length = dense.summary.model.length;
  const double speed = dense.summary.constraint.greatest_speed;
  double off = 0.0, momentum = 0.0, gap = 0.0, rate = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < dense.samples.size(); ++i) {
    const auto& a = dense.samples[i];
    const auto& b = stepped.samples[i];
    ASSERT_EQ(a.t, b.t);
    off = std::max(off, difference(a, b));
    largest = std::max(largest, b.p.lpNorm<Eigen::Infinity>());
    momentum = std::max(momentum, (a.p - b.p).lpNorm<Eigen::Infinity>());
    gap = std::max(gap, a.position_residual);
    rate = std::max(rate, a.velocity_residual);
  }
  std::printf("off by %.2g, momenta %.2g of %.2g, loops open by %.2g m, %.2g m/s\n", off, momentum,
              largest, gap, rate);
  const bool leaks = method == "adams" || method == "bdf";  // another gauge after other steps
  EXPECT_LT(off, (leaks ? 3e-5 : 1e-6) * std::max(1.0, speed));
  if (!leaks) {
    EXPECT_LT(momentum, 1e-6 * (1.0 + largest));
  }
  EXPECT_LT(gap, (method == "adams" ? 1e-7 : 1e-12) * length);  // adams lets loops drift
  EXPECT_LT(rate, 1e-10 * std::max(1.0, speed));
}

INSTANTIATE_TEST_SUITE_P(
    Runs, OutputsOf,
    testing::Combine(testing::Values("four_bar", "bricard", "rssr", "spatial_arm", "heavy_top",
                                     "driven_slider_crank", "suspension", "stewart", "excavator"),
                     testing::Values("auto", "dormand_prince", "bogacki_shampine", "adams", "bdf")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

// The steps of an interval that two outputs see.
TEST(DenseOutput, SparesTheStepsOfASuspension) {
  const Model model = shipped("suspension");
  const auto dense = Simulation(model).run_until(1.0);
  const auto stepped = Simulation(model, {.dense_output = false}).run_until(1.0);
  std::printf("%ld steps instead of %ld\n", dense.summary.steps, stepped.summary.steps);
  EXPECT_LT(3 * dense.summary.steps, stepped.summary.steps);
}

TEST(DenseOutput, KeepsTheEnergyThatIsScaled) {
  const Model model = shipped("four_bar");
  SimulationOptions options{.integrator = DormandPrince{1e-6, 1e-6}, .energy_scaling = true};
  const auto recording = Simulation(model, options).run_until(1.0);
  const auto& first = recording.samples.front();
  const double energy = first.kinetic_energy + first.potential_energy;
  for (const auto& sample : recording.samples)
    EXPECT_NEAR(sample.kinetic_energy + sample.potential_energy, energy, 1e-12);
}

// There and back within one step, seen by an output between.
TEST(DenseOutput, ShowsEventsThatStepsHide) {
  auto mechanism = shipped("double_pendulum").mechanism();
  mechanism.sensors.clear();
  mechanism.events.clear();
  mechanism.add(JointSensor{"first", mechanism.joints[0].name, {}});
  const SimulationOptions options{.integrator = DormandPrince{1e-4, 1e-4}};
  const auto plain = Simulation(Model(mechanism), options).run_until(2.0, 1e-3);
  const auto q = test::column(plain, "first.q");
  const auto lowest = std::min_element(q.begin() + 1, q.end() - 1) - q.begin();
  EventDescription event;
  event.name = "turning";
  event.channel = "first.q";
  event.value = q[static_cast<std::size_t>(lowest)] + 1e-4;
  mechanism.add(event);
  const auto watched = Simulation(Model(mechanism), options).run_until(2.0, 1e-3);
  EXPECT_EQ(watched.summary.steps, plain.summary.steps);
  EXPECT_GE(watched.summary.events.size(), 2U);
  for (std::size_t i = 1; i < watched.samples.size(); ++i)
    EXPECT_LE(watched.samples[i - 1].t, watched.samples[i].t);
}

}  // namespace
}  // namespace hamiltree
