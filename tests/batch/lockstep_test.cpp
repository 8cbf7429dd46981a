// Runs in lockstep are what simulations with the same steps are, and never feel one another.
#include "hamiltree/batch/lockstep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/four_bars.hpp"
#include "support/pins.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree::test {
namespace {

SimulationOptions options(Method method = RungeKutta4{1e-3}) {
  return {.formulation = "recursive", .integrator = method};
}

LockstepRun run_of(const Mechanism& mechanism) {
  const Model model(mechanism);
  auto pins = revolute_mechanism(model);
  EXPECT_TRUE(pins.has_value());
  const auto start = initial_state(model);
  return {model, *pins, start.q, start.p};
}

std::vector<Recording> run(std::span<const LockstepRun> runs, const SimulationOptions& options,
                           double until, double every) {
  std::vector<Recording> recordings(runs.size());
  std::vector<Recorder*> recorders;
  for (auto& recording : recordings) recorders.push_back(&recording);
  Lockstep(runs, options).run_until(until, every, recorders, [] {});
  return recordings;
}

void expect_as_alone(const std::vector<LockstepRun>& runs, const SimulationOptions& options,
                     double tolerance) {
  const auto recordings = run(runs, options, 0.5, 0.05);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    ASSERT_TRUE(fits_lockstep(runs[k].model, options));
    Simulation simulation(runs[k].model, options, State{0.0, runs[k].q, runs[k].p});
    const auto alone = simulation.run_until(0.5, 0.05);
    ASSERT_EQ(recordings[k].samples.size(), alone.samples.size());
    for (std::size_t i = 0; i < alone.samples.size(); ++i) {
      const auto &x = recordings[k].samples[i], &y = alone.samples[i];
      EXPECT_EQ(x.t, y.t);
      EXPECT_LE((x.q - y.q).norm(), tolerance) << k << ' ' << i;
      EXPECT_LE((x.p - y.p).norm(), tolerance * (1.0 + y.p.norm())) << k << ' ' << i;
      EXPECT_LE((x.outside_q - y.outside_q).norm(), 10.0 * tolerance) << k << ' ' << i;
      EXPECT_LE((x.v - y.v).norm(), 10.0 * tolerance * (1.0 + y.v.norm())) << k << ' ' << i;
      EXPECT_NEAR(x.kinetic_energy + x.potential_energy, y.kinetic_energy + y.potential_energy,
                  tolerance);
      EXPECT_LE(x.position_residual, 1e-13 + 10.0 * y.position_residual);
      EXPECT_LE(x.velocity_residual, 1e-11);
    }
  }
}

TEST(Lockstep, MovesTreesAsSimulationsDo) {
  for (auto mechanism : {Pins(5).tree(6, Axes::kAny, 2), Pins(5).floating_tree(6, Axes::kAny, 2)}) {
    std::vector<LockstepRun> runs;
    for (int k = 0; k < 3; ++k) {
      for (auto& body : mechanism.bodies) body.mass *= 1.1;
      runs.push_back(run_of(mechanism));
    }
    expect_as_alone(runs, options(), 1e-10);
  }
}

TEST(Lockstep, KeepsLoopsClosedAsSimulationsDo) {
  for (const int count : {1, 2}) {
    std::vector<LockstepRun> runs;
    for (unsigned seed = 0; seed < 5; ++seed) runs.push_back(run_of(four_bars(count, seed)));
    expect_as_alone(runs, options(), 1e-10);
  }
  expect_as_alone({run_of(four_bars(1, 9))}, options(Euler{1e-3}), 1e-10);
  expect_as_alone({run_of(four_bars(1, 9))}, options(SemiImplicitEuler{1e-3}), 1e-10);
}

// Turns of a crank that goes round, and of the pin on it that closes the loop.
TEST(Lockstep, CountsTurnsOfPinsThatCloseLoops) {
  auto mechanism = four_bars(1, 3);
  mechanism.gravity.setZero();
  for (auto& joint : mechanism.joints) {
    if (joint.name == "A") joint.initial_v = Eigen::VectorXd::Constant(1, 20.0);
    if (joint.name != "B0") continue;
    joint.at_parent.position.x() = 0.1;
    joint.cut = true;
  }
  const std::vector runs{run_of(mechanism)};
  const auto in_lockstep = run(runs, options(), 2.0, 0.5).front();
  Simulation simulation(runs[0].model, options(), State{0.0, runs[0].q, runs[0].p});
  const auto alone = simulation.run_until(2.0, 0.5);
  EXPECT_GT(std::abs(alone.samples.back().outside_q(0)), 20.0);
  for (std::size_t i = 0; i < alone.samples.size(); ++i)
    EXPECT_NEAR(in_lockstep.samples[i].outside_q(0), alone.samples[i].outside_q(0), 1e-7) << i;
}

TEST(Lockstep, KeepsLoopsThatMoveInOnePlaneOfSpaceClosed) {
  for (const int count : {1, 2}) {
    std::vector<LockstepRun> runs;
    for (unsigned seed = 0; seed < 5; ++seed)
      runs.push_back(run_of(lifted(four_bars(count, seed))));
    expect_as_alone(runs, options(), 1e-10);
  }
}

TEST(Lockstep, RunsNeverFeelOneAnother) {
  std::vector<LockstepRun> runs;
  for (unsigned seed = 0; seed < kLanes; ++seed) runs.push_back(run_of(four_bars(1, seed)));
  runs[2].p(0) = std::numeric_limits<double>::quiet_NaN();
  const auto together = run(runs, options(), 0.2, 0.1);
  EXPECT_EQ(together[2].samples.size(), 0U);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (k == 2) continue;
    const auto alone = run(std::span(&runs[k], 1), options(), 0.2, 0.1).front();
    ASSERT_EQ(together[k].samples.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(together[k].samples[i].q, alone.samples[i].q) << k;
      EXPECT_EQ(together[k].samples[i].p, alone.samples[i].p) << k;
      EXPECT_EQ(together[k].samples[i].v, alone.samples[i].v) << k;
    }
  }
}

TEST(Lockstep, TakesNoMechanismWithMoreThanPinsAndGravity) {
  auto mechanism = four_bars(1, 0);
  EXPECT_TRUE(revolute_mechanism(Model(mechanism)));
  JointSpringDamper spring;
  spring.joint = "A";
  spring.stiffness = 1.0;
  mechanism.add(spring);
  EXPECT_FALSE(fits_lockstep(Model(mechanism), options()));
  EXPECT_FALSE(revolute_mechanism(Model(sample_loop(SpaceKind::kSpatial, JointType::kRevolute))));
  EXPECT_FALSE(revolute_mechanism(Model(sample_loop(SpaceKind::kPlanar, JointType::kPrismatic))));
  const std::vector unlike{run_of(four_bars(1, 0)), run_of(four_bars(2, 0))};
  EXPECT_THROW(Lockstep(unlike, options()), UsageError);
  // Connected alike, but of another case: a lane would feel the one beside it.
  const std::vector turned{run_of(Pins(0).tree(6, Axes::kAny, 1)),
                           run_of(Pins(3).tree(6, Axes::kRightAngles, 1))};
  EXPECT_THROW(Lockstep(turned, options()), UsageError);
  const Model model(four_bars(1, 0));
  EXPECT_FALSE(fits_lockstep(model, options(DormandPrince{})));
  EXPECT_FALSE(fits_lockstep(model, {.formulation = "hdca", .integrator = RungeKutta4{}}));
}

}  // namespace
}  // namespace hamiltree::test
