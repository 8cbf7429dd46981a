// The simulation loop: output times, projection and reset, failures.
#include "hamiltree/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::shipped;

Eigen::VectorXd end_of(const Model& model, const SimulationOptions& options, double until) {
  Simulation simulation(model, options);
  return simulation.run_until(until, until).samples.back().q;
}

TEST(DrivenMechanisms, MoveWithoutAnyState) {
  auto mechanism = shipped("double_pendulum").mechanism();
  for (auto& joint : mechanism.joints) {
    joint.drive = Sine{0.0, 0.5, 1.0, 0.0};
    joint.initial_q.reset();
    joint.initial_v.reset();
  }
  mechanism.sensors = {JointSensor{"elbow", "elbow", {}}};
  for (const Method& method :
       {Method(DormandPrince{1e-6, 1e-6}), Method(RungeKutta4{1e-2}), Method(Euler{1e-2})}) {
    Simulation simulation(Model(mechanism), {.integrator = method});
    const auto recording = simulation.run_until(1.0, 0.1);
    ASSERT_EQ(recording.samples.size(), 11U) << to_name(method);
    for (const auto& sample : recording.samples) {
      EXPECT_EQ(sample.q.size(), 0);
      EXPECT_NEAR(sample.sensors(0), 0.5 * std::sin(2.0 * std::numbers::pi * sample.t), 1e-14);
    }
  }
}

TEST(OutputTimes, AreSteppedToExactly) {
  for (const Method& method : {Method(DormandPrince{1e-6, 1e-6}), Method(RungeKutta4{3e-3})}) {
    Simulation simulation(shipped("double_pendulum"), {.integrator = method});
    const auto recording = simulation.run_until(1.0, 0.3);
    ASSERT_EQ(recording.samples.size(), 5U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(recording.samples[i].t, static_cast<double>(i) * 0.3);
    }
    EXPECT_EQ(recording.samples.back().t, 1.0);
  }
}

// 1/500 of the way, in whole steps.
TEST(OutputTimes, DoNotCutFixedStepsByDefault) {
  struct Case {
    double until, step;
    long steps;
    std::size_t samples;
  };
  for (const auto& [until, step, steps, samples] :
       {Case{1.0, 1e-2, 100, 101}, Case{1.0, 1e-3, 1000, 501}, Case{0.7, 1e-3, 700, 351},
        Case{1e-3, 1e-3, 1, 2}, Case{2.5e-2, 1e-2, 3, 4}}) {
    Simulation simulation(shipped("double_pendulum"), {.integrator = RungeKutta4{step}});
    const auto recording = simulation.run_until(until);
    EXPECT_EQ(recording.summary.steps, steps) << until << ' ' << step;
    EXPECT_EQ(recording.samples.size(), samples) << until << ' ' << step;
    EXPECT_TRUE(recording.summary.notes.empty());
    EXPECT_EQ(recording.samples.back().t, until);
  }
  Simulation simulation(shipped("double_pendulum"), {.integrator = RungeKutta4{1e-3}});
  for (int k = 1; k <= 20; ++k) simulation.run_until(k * 1e-3);
  EXPECT_EQ(simulation.run_until(0.021).summary.steps, 21);
}

TEST(OutputTimes, MayBeContinued) {
  const auto model = shipped("four_bar");
  Simulation whole(model, {.integrator = RungeKutta4{1e-3}});
  Simulation parts(model, {.integrator = RungeKutta4{1e-3}});
  const auto once = whole.run_until(1.0, 0.25).samples.back();
  parts.run_until(0.5, 0.25);
  const auto twice = parts.run_until(1.0, 0.25).samples.back();
  EXPECT_EQ(once.t, twice.t);
  EXPECT_LE((once.q - twice.q).norm(), 1e-12);
}

TEST(Simulation, RefusesTimesAndGatesThatAreNoNumbers) {
  const auto model = shipped("double_pendulum");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double gate : {nan, 0.0, -1.0}) {
    EXPECT_THROW(Simulation(model, {.max_energy_error = gate}), UsageError) << gate;
    EXPECT_THROW(Simulation(model, {.max_constraint_error = gate}), UsageError) << gate;
    EXPECT_THROW(Simulation(model).on_checkpoint(gate, [](const Checkpoint&) {}), UsageError);
  }
  EXPECT_THROW(Simulation(model).run_until(0.1, nan), UsageError);
  Simulation simulation(model);
  const auto ignore = [](const State&, const Eigen::VectorXd&) {};
  EXPECT_THROW(simulation.on_times([&](double) { return nan; }, ignore), UsageError);
  simulation.on_times([&](double now) { return now < 0.05 ? 0.05 : nan; }, ignore);
  EXPECT_THROW(simulation.run_until(0.1), UsageError);
}

// Momentum reset and projection: off, sigma grows and the loop drifts; on, neither.
TEST(Projection, KeepsTheLoopClosed) {
  const auto model = shipped("four_bar");
  const auto drift = [&](bool on) {
    Simulation simulation(model, {.integrator = DormandPrince{1e-6, 1e-6}, .projection = on});
    return simulation.run_until(5.0, 0.1).summary.constraint.position_max;
  };
  EXPECT_LE(drift(true), 1e-11);
  EXPECT_GE(drift(false), 1e-9);
}

TEST(Reset, ChangesTheMomentaButNotTheMotion) {
  const auto model = shipped("four_bar");
  const auto end = [&](bool on) {
    Simulation simulation(model, {.integrator = DormandPrince{1e-11, 1e-11}, .reset = on});
    return simulation.run_until(1.0, 0.1).samples.back();
  };
  const auto with = end(true);
  const auto without = end(false);
  EXPECT_LE((with.q - without.q).norm(), 1e-7);
  EXPECT_LE((with.v - without.v).norm(), 1e-6);
  EXPECT_GE((with.p - without.p).norm(), 1e-3);
  // 2 T = v . p in any gauge
  EXPECT_NEAR(with.kinetic_energy, 0.5 * with.v.dot(with.p), 1e-12);
  EXPECT_NEAR(without.kinetic_energy, 0.5 * without.v.dot(without.p), 1e-12);
}

TEST(Formulations, GiveTheSameTrajectory) {
  for (const std::string mechanism :
       {"double_pendulum", "spatial_arm", "four_bar", "four_bar_spatial", "chadaj_case_3"}) {
    const auto model = shipped(mechanism);
    const auto reference =
        end_of(model, {.formulation = "dense", .integrator = DormandPrince{1e-11, 1e-11}}, 0.5);
    for (const std::string name : {"hdca", "recursive", "dca", "aba"}) {
      const auto q =
          end_of(model, {.formulation = name, .integrator = DormandPrince{1e-11, 1e-11}}, 0.5);
      EXPECT_LE((q - reference).norm(), 1e-7) << name << " on " << mechanism;
    }
  }
}

TEST(Weights, OfInertiaAreStricterThanEqualOnesOnAChain) {
  const auto model = shipped("chain_100");
  const auto steps = [&](Weights weights) {
    Simulation simulation(
        model,
        {.formulation = "recursive", .integrator = DormandPrince{1e-6, 1e-6}, .weights = weights});
    return simulation.run_until(0.2, 0.2).summary.steps;
  };
  EXPECT_GT(steps(Weights::kInertia), steps(Weights::kEqual));
}

// Explicit Euler on a stiff spring overflows; the error names a joint and the last good time.
// The rate that finds the energies of an accepted step is that of the next step's first stage.
TEST(Rates, OfOpenSystemsAreEvaluatedOnceForEveryStage) {
  for (const char* formulation : {"hdca", "recursive", "aba"}) {
    Simulation simulation(shipped("double_pendulum"),
                          {.formulation = formulation, .integrator = RungeKutta4{1e-2}});
    const auto& s = simulation.run_until(1.0, 1.0).summary;
    EXPECT_EQ(s.steps, 100);
    EXPECT_EQ(s.rate_evaluations, 4 * s.steps + 1) << formulation;
  }
  Simulation simulation(shipped("double_pendulum"), {.integrator = DormandPrince{1e-9, 1e-9}});
  const auto& s = simulation.run_until(1.0, 1.0).summary;
  EXPECT_LE(s.rate_evaluations, 7 * (s.steps + s.rejected_steps) + 2);
}

TEST(Failure, NamesJointAndTimeAndKeepsWhatWasReached) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  BodyDescription body;
  body.name = "slider";
  body.mass = 1.0;
  body.inertia(2, 2) = 1.0;
  mechanism.add(body);
  JointDescription joint;
  joint.name = "rail";
  joint.type = JointType::kPrismatic;
  joint.parent = kGround;
  joint.child = "slider";
  joint.initial_q = Eigen::VectorXd::Constant(1, 1.0);
  mechanism.add(joint);
  mechanism.add(JointSpringDamper{"rail", 1e12, 0.0, 0.0, {}});
  Simulation simulation(Model(mechanism), {.integrator = Euler{0.1}});
  Recording recording;
  try {
    simulation.run_until(100.0, 1.0, recording);
    FAIL() << "an overflow was accepted";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("\"rail\""), std::string::npos) << error.what();
    EXPECT_GT(error.time(), 0.0);
  }
  EXPECT_EQ(recording.summary.status, "failed");
  EXPECT_FALSE(recording.summary.error.empty());
  EXPECT_GT(recording.samples.size(), 1U);
  for (const auto& sample : recording.samples) EXPECT_TRUE(sample.q.allFinite());
}

TEST(Sensors, SeeWhatTheKinematicsSay) {
  const auto model = shipped("double_pendulum");
  Simulation simulation(model, {});
  const auto recording = simulation.run_until(0.3, 0.3);
  const auto& header = recording.header;
  const auto& sample = recording.samples.back();
  EXPECT_EQ(static_cast<Eigen::Index>(header.sensors.size()), sample.sensors.size());
  EXPECT_EQ(header.q.size(), 2U);
  EXPECT_EQ(sample.poses.size(), 2U);
  // Two bars of 0.3 m: the second hangs on the tip of the first.
  const double angle = sample.q(0);
  EXPECT_NEAR(sample.poses[1].position.x(), 0.3 * std::cos(angle), 1e-12);
  EXPECT_NEAR(sample.poses[1].position.y(), 0.3 * std::sin(angle), 1e-12);
}

}  // namespace
}  // namespace hamiltree
