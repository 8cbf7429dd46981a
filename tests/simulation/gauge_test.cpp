// The means that keep momenta and positions clean must not change the motion: the leaky gauge, the
// reset, projection and restarts; and energy scaling, where it may be used.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

#include "hamiltree/base/error.hpp"
#include "support/methods.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::difference;
using test::shipped;
using test::with_tolerance;

Recording run_gauge(const Model& model, const SimulationOptions& options, double until) {
  return Simulation(model, options).run_until(until, until / 20.0);
}

// ---- the gauge --------------------------------------------------------------------------------

class Gauge : public testing::TestWithParam<const char*> {};

// A loop, a coupling, and redundant rows in space.
TEST_P(Gauge, DoesNotChangeTheMotion) {
  const auto model = shipped(GetParam());
  const Method tight = DormandPrince{1e-12, 1e-12};
  constexpr double kUntil = 1.0;
  const auto reset = run_gauge(model, {.integrator = tight}, kUntil);
  const auto natural = run_gauge(model, {.integrator = tight, .reset = false}, kUntil);
  const auto leaky = run_gauge(model, {.integrator = tight, .reset = false, .leak = 3.0}, kUntil);
  Simulation by_adams(model, {.integrator = Adams{1e-12, 1e-12}});
  const auto adams = by_adams.run_until(kUntil, kUntil / 20.0);
  EXPECT_EQ(reset.summary.integrator.leak, 0.0);
  EXPECT_EQ(leaky.summary.integrator.leak, 3.0);
  EXPECT_GT(adams.summary.integrator.leak, 0.0);
  for (const auto* other : {&natural, &leaky, &adams}) {
    double worst = 0.0;
    double of_momenta = 0.0;
    for (std::size_t i = 0; i < reset.samples.size(); ++i) {
      worst = std::max(worst, difference(reset.samples[i], other->samples[i]));
      of_momenta = std::max(of_momenta, (reset.samples[i].p - other->samples[i].p).norm());
    }
    std::printf("%s by %s, leak %.2g: motion differs by %.2g, momenta by %.2g\n", GetParam(),
                other->summary.integrator.name.c_str(), other->summary.integrator.leak, worst,
                of_momenta);
    EXPECT_LE(worst, 1e-7);
    if (other == &adams) {
      EXPECT_LE(of_momenta, 1e-7);  // recorded without impulses
      EXPECT_GE((adams.samples.back().p - by_adams.state().p).norm(), 1e-3);
    } else {
      EXPECT_GE(of_momenta, 1e-3);  // another gauge indeed
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Gauge,
                         testing::Values("four_bar", "gear_pair", "parallelogram", "rssr"),
                         [](const auto& info) { return std::string(info.param); });

// Tolerances spent on sigma. Measured: 8 times the steps in 50 s.
TEST(NaturalGauge, CostsStepsWhereItIsLeftToGrow) {
  const auto steps = [](bool reset) {
    return run_gauge(shipped("four_bar"), {.integrator = DormandPrince{1e-9, 1e-9}, .reset = reset},
                     50.0)
        .summary.steps;
  };
  const long with = steps(true);
  const long without = steps(false);
  std::printf("four_bar, 50 s: %ld steps with reset, %ld without\n", with, without);
  EXPECT_GT(without, 4 * with);
}

// ---- residuals --------------------------------------------------------------------------------

struct Loop {
  const char* mechanism;
  double until = 3.0;  // s
  double step = 1e-3;  // s, of rk4; SPARK takes it twice as long
};
std::ostream& operator<<(std::ostream& out, const Loop& loop) { return out << loop.mechanism; }

class ClosedLoops : public testing::TestWithParam<Loop> {};

TEST_P(ClosedLoops, StayClosedAfterEveryStep) {
  const auto& [name, until, step] = GetParam();
  const auto model = shipped(name);
  for (const auto& method :
       {with_tolerance("bogacki_shampine", 1e-7), with_tolerance("dormand_prince", 1e-7),
        with_tolerance("bdf", 1e-9), Method(RungeKutta4{step}), Method(Spark{2, 2.0 * step})}) {
    const auto recording = run_gauge(model, {.integrator = method}, until);
    const auto& c = recording.summary.constraint;
    std::printf("%s by %s: %.1e m, %.1e m/s at up to %.2g m/s; %.1e m before\n", name,
                to_name(method), c.position_max, c.velocity_max, c.greatest_speed,
                c.position_max_before);
    EXPECT_GT(c.greatest_speed, 0.1);
    EXPECT_LE(c.position_max, 1e-11) << to_name(method);
    EXPECT_LE(c.velocity_max, 1e-12 * (1.0 + c.greatest_speed)) << to_name(method);
  }
}

// The last stage of dormand_prince is the end of the step: it is solved for once, and gaps of
// rounding size are left to later steps.
TEST(StepsWithLoops, SolveForTheirEndOnce) {
  const auto model = shipped("stewart");
  const Method method = with_tolerance("dormand_prince", 1e-9);
  const auto found = run_gauge(model, {.formulation = "recursive", .integrator = method}, 1.0);
  const auto& summary = found.summary;
  EXPECT_LE(2 * summary.velocity_solves, summary.steps);
  EXPECT_LE(summary.constraint.position_max, 1e-13 * summary.model.length);
  const Method tight = with_tolerance("dormand_prince", 1e-12);
  const auto expected = run_gauge(model, {.formulation = "dense", .integrator = tight}, 1.0);
  EXPECT_LE(difference(found.samples.back(), expected.samples.back()), 1e-7);
  EXPECT_NEAR(found.samples.back().kinetic_energy, expected.samples.back().kinetic_energy, 1e-6);
}

// Positions may drift until adams starts anew, at the end of the step that went too far.
TEST_P(ClosedLoops, DriftNoFurtherThanToTheNextRestart) {
  const auto& [name, until, step] = GetParam();
  constexpr double kTolerance = 1e-6;
  const auto model = shipped(name);
  const auto& summary =
      run_gauge(model, {.integrator = with_tolerance("adams", kTolerance)}, until).summary;
  std::printf("%s by adams: %.1e m, %ld restarts in %ld steps\n", name,
              summary.constraint.position_max, summary.restarts, summary.steps);
  EXPECT_LE(summary.constraint.position_max,
            2.0 * kRestartGap * kTolerance * (1.0 + summary.model.length));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ClosedLoops,
                         testing::Values(Loop{"andrews", 0.05, 1e-5}, Loop{"bennett"},
                                         Loop{"bricard"}, Loop{"cardan_shaft"},
                                         Loop{"chadaj_case_1"}, Loop{"chadaj_case_2"},
                                         Loop{"chadaj_case_3"}, Loop{"driven_slider_crank"},
                                         Loop{"four_bar"}, Loop{"four_bar_spatial"},
                                         Loop{"gear_pair"}, Loop{"iftomm_a04_bricard"},
                                         Loop{"parallelogram"}, Loop{"rssr"}, Loop{"scotch_yoke"},
                                         Loop{"spatial_slider_crank"}),
                         [](const auto& info) { return std::string(info.param.mechanism); });

TEST(Restarts, AreWhatKeepsTheLoopsOfAdamsClosed) {
  const auto drift = [](bool projection) {
    return run_gauge(shipped("bennett"),
                     {.formulation = "hdca",  // recursive needs none
                      .integrator = Adams{1e-6, 1e-6},
                      .projection = projection},
                     20.0)
        .summary;
  };
  const auto with = drift(true);
  const auto without = drift(false);
  std::printf("bennett by adams: %.1e m with %ld restarts, %.1e m without\n",
              with.constraint.position_max, with.restarts, without.constraint.position_max);
  EXPECT_GE(with.restarts, 2);
  // Only the redundant rows still change.
  EXPECT_GT(with.restarts, 3 * without.restarts);
  EXPECT_GE(without.constraint.position_max, 2.0 * with.constraint.position_max);
}

// ---- energy scaling ---------------------------------------------------------------------------

class EnergyScaling : public testing::TestWithParam<const char*> {};

// Measured: 1e-15 of the energy that moves, against 2e-6 to 6e-5 without.
TEST_P(EnergyScaling, HoldsTheEnergy) {
  const auto model = shipped(GetParam());
  const auto error = [&](bool scaled) {
    const auto& s =
        run_gauge(model, {.integrator = DormandPrince{1e-6, 1e-6}, .energy_scaling = scaled}, 10.0)
            .summary;
    EXPECT_LE(s.constraint.position_max, 1e-11);
    EXPECT_LE(s.constraint.velocity_max, 1e-12 * (1.0 + s.constraint.greatest_speed));
    return s.energy.max_relative_error;
  };
  const double with = error(true);
  const double without = error(false);
  std::printf("%s: energy error %.2g with scaling, %.2g without\n", GetParam(), with, without);
  EXPECT_LE(with, 1e-13);
  EXPECT_GE(without, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, EnergyScaling,
                         testing::Values("double_pendulum", "heavy_top", "chadaj_case_2",
                                         "bricard"),
                         [](const auto& info) { return std::string(info.param); });

// One sentence that says what does not go together.
TEST(EnergyScalingOption, IsRefusedWhereItWouldDoHarm) {
  const auto expect_refusal = [](const std::string& mechanism, SimulationOptions options,
                                 const std::string& why) {
    options.energy_scaling = true;
    try {
      Simulation simulation(shipped(mechanism), options);
      ADD_FAILURE() << "accepted: " << why;
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("energy scaling cannot be used"), std::string::npos) << text;
      EXPECT_NE(text.find(why), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  };
  expect_refusal("double_pendulum", {.integrator = Gauss{}}, "gauss_4");
  expect_refusal("four_bar", {.integrator = Spark{}}, "spark_2");
  expect_refusal("four_bar", {.integrator = Adams{}}, "adams");
  expect_refusal("four_bar", {.integrator = Bdf{}}, "bdf");
  expect_refusal("four_bar", {.formulation = "dca"}, "formulation dca");
  expect_refusal("double_pendulum", {.formulation = "aba"}, "formulation aba");
  expect_refusal("driven_slider_crank", {}, "driven joints");
  expect_refusal("pendulum_on_moving_pivot", {}, "moving frames");
  expect_refusal("torque_free_body", {}, "floats");
}

TEST(MotionOptions, AreRefusedWhereTheyContradictEachOther) {
  const auto model = shipped("four_bar");
  const auto refused = [&](const SimulationOptions& options) {
    EXPECT_THROW(Simulation(model, options), UsageError);
  };
  refused({.integrator = Spark{}, .reset = false});
  refused({.integrator = Spark{}, .leak = 1.0});
  refused({.formulation = "dca", .leak = 1.0});
  refused({.leak = -1.0});
  refused({.formulation = "dca", .integrator = Spark{}});
  refused({.integrator = Gauss{}});  // a loop
}

}  // namespace
}  // namespace hamiltree
