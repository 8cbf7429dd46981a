// No run goes on after a step that changes the energy by more than its tolerances allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "hamiltree/simulation/step_guard.hpp"
#include "support/folded.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

// A problem whose momenta each step that begins at `since` (s) or later multiplies by `factor`, if
// it is longer than `longest` (s).
class Pushed final : public OdeProblem {
 public:
  struct Push {
    double since, factor, longest;
  };
  Pushed(OdeProblem& problem, double t, const Push& push)
      : problem_(problem), last_(t), push_(push) {}

  int size() const override { return problem_.size(); }
  int coordinates() const override { return problem_.coordinates(); }
  int integrals() const override { return problem_.integrals(); }
  bool rate(double t, const double* y, double* y_dot) override {
    return problem_.rate(t, y, y_dot);
  }
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    problem_.weights(tolerances, y, weights);
  }
  bool accept(double t, double* y) override { return problem_.accept(t, y); }
  bool accept_or_refuse(double t, double* y) override {
    if (last_ >= push_.since && t - last_ > push_.longest) {
      for (int i = coordinates(); i < size(); ++i) y[i] *= push_.factor;
    }
    if (!problem_.accept_or_refuse(t, y)) return false;
    last_ = t;
    return true;
  }
  std::string refusal() const override { return problem_.refusal(); }

 private:
  OdeProblem& problem_;
  double last_;
  Push push_;
};

// dormand_prince on it.
class Pushing final : public Integrator {
 public:
  Pushing(OdeProblem& problem, double t, const double* y, const Pushed::Push& push)
      : pushed_(problem, t, push),
        method_(make_integrator(DormandPrince{1e-9, 1e-9}, pushed_, t, y)) {}

  void step(double stop) override { method_->step(stop); }
  double time() const override { return method_->time(); }
  const double* y() const override { return method_->y(); }
  Step last_step() const override { return method_->last_step(); }
  IntegratorCounts counts() const override { return method_->counts(); }

 private:
  Pushed pushed_;
  std::unique_ptr<Integrator> method_;
};

struct GuardedRun {
  std::string error;
  double time = 0.0;  // s, of the error
  Recording recording;
  std::vector<double> steps;  // s
};
GuardedRun run(const Pushed::Push& push) {
  SimulationOptions options;
  options.integrator = DormandPrince{1e-9, 1e-9};
  Simulation simulation(test::shipped("four_bar"), options,
                        [&](OdeProblem& problem, double t, const double* y) {
                          return std::make_unique<Pushing>(problem, t, y, push);
                        });
  GuardedRun found;
  double last = 0.0;
  simulation.on_step([&](double t) {
    found.steps.push_back(t - last);
    last = t;
  });
  try {
    simulation.run_until(0.4, 0.1, found.recording);
  } catch (const SimulationError& error) {
    found.time = error.time();
    found.error = error.what();
  }
  return found;
}
std::string failure_of(double factor) { return run({0.2, factor, 0.0}).error; }

TEST(EnergyGuard, EndsTheRunWhereAStepAddsEnergy) {
  const auto error = failure_of(1.001);
  EXPECT_NE(error.find("the energy changes by"), std::string::npos) << error;
  EXPECT_NE(error.find("nothing does that work"), std::string::npos) << error;
}

// Each step is within a hundred tolerances.
TEST(EnergyGuard, EndsTheRunWhereStepsAddEnergyOneAfterTheOther) {
  const auto error = failure_of(1.0 + 1e-6);
  EXPECT_NE(error.find("the energy has changed by"), std::string::npos) << error;
  EXPECT_NE(error.find("steps, and nothing does that work"), std::string::npos) << error;
}

// The state before the step is the last that is recorded.
TEST(EnergyGuard, EndsTheRunWhereTheStepBegan) {
  const auto found = run({0.2, 1.001, 0.0});
  EXPECT_NE(found.error.find("also in steps down to"), std::string::npos) << found.error;
  EXPECT_GE(found.time, 0.2);
  EXPECT_LT(found.time, 0.21);
  const auto& recording = found.recording;
  ASSERT_FALSE(recording.samples.empty());
  EXPECT_EQ(recording.samples.back().t, found.time);
  EXPECT_EQ(recording.summary.status, "failed");
  EXPECT_LT(recording.summary.energy.max_relative_error, 1e-8);
}

// Steps that shorter ones can replace are taken again, and nothing is seen of them but that.
TEST(EnergyGuard, TakesStepsAgainThatAreTooLong) {
  constexpr double kLongest = 5e-5;
  const auto found = run({0.2, 1.001, kLongest}), free = run({1.0, 1.0, 0.0});
  EXPECT_EQ(found.error, "");
  const auto& summary = found.recording.summary;
  EXPECT_LT(summary.energy.max_relative_error, 1e-8);
  EXPECT_GT(summary.rejected_steps, free.recording.summary.rejected_steps + 10);
  EXPECT_EQ(summary.steps, static_cast<long>(found.steps.size()));
  double t = 0.0;
  for (const double step : found.steps) {
    t += step;
    if (t - step > 0.2) {
      EXPECT_LE(step, kLongest + 1e-15);
    }
  }
  EXPECT_NEAR(found.recording.samples.back().q(0), free.recording.samples.back().q(0), 1e-7);
  const auto& notes = summary.notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) {
    return note.find("were taken again, shorter") != std::string::npos;
  }));
}

// A crank of 0.5 m is driven on to where the coupler and the rocker, 1.1 m together, are stretched,
// and cannot turn any further:
//   0.5^2 + 1 - cos q = 1.1^2
TEST(EnergyGuard, NamesTheSingularPoseThatARunCannotPass) {
  test::FourBarSizes sizes;
  sizes.coupler = 0.6;
  auto linkage = test::folded_four_bar(sizes);
  constexpr double kStart = 0.8;  // rad, and 1 rad/s
  for (auto& joint : linkage.joints) joint.initial_q.reset();
  test::joint_of(linkage, "A").drive = Polynomial{{kStart, 1.0}};
  test::joint_of(linkage, "D").guess_q = Eigen::VectorXd::Constant(1, 2.0);
  const Model model(linkage);
  for (const Method& method :
       {Method(DormandPrince{1e-9, 1e-9}), Method(Bdf{1e-9, 1e-9}), Method(Spark{2, 1e-2})}) {
    SimulationOptions options;
    options.formulation = "hdca";
    options.integrator = method;
    Simulation simulation(model, options);
    Recording recording;
    try {
      simulation.run_until(10.0, 0.1, recording);
      ADD_FAILURE() << "passed";
    } catch (const SimulationError& error) {
      const std::string what = error.what();
      EXPECT_NEAR(error.time(), std::acos(0.04) - kStart, 1e-5);
      EXPECT_NE(what.find("near a singular pose"), what.npos) << what;
      EXPECT_NE(what.find("cannot follow the drive of joint \"A\" any further"), what.npos) << what;
      EXPECT_LE(recording.samples.back().t, error.time());
    }
  }
}

// Steps of a fixed size are not refused.
TEST(EnergyGuard, SaysWhereFixedStepsLoseMuch) {
  for (const auto& [step, loses] : {std::pair{4e-3, true}, std::pair{1e-4, false}}) {
    SimulationOptions options;
    options.integrator = Euler{step};
    const auto found =
        Simulation(test::shipped("double_pendulum"), options).run_until(2.0, 0.1).summary;
    EXPECT_EQ(found.energy.max_relative_error > 0.01, loses);
    EXPECT_EQ(std::ranges::any_of(found.notes,
                                  [](const std::string& note) {
                                    return note.find("s are too long for this motion") != note.npos;
                                  }),
              loses);
  }
}

// Where nothing moves and nothing weighs, what the tolerances allow is felt by light links of a
// long chain: a belt of twenty that stiff dampers hold lost 7e-19 J of none.
TEST(EnergyGuard, LeavesRoundingOfAChainAtRestAlone) {
  constexpr int kLinks = 20;
  constexpr double kMass = 0.0085, kLength = 0.07;  // kg, m
  Mechanism m;
  m.space = SpaceKind::kPlanar;
  m.gravity.setZero();
  for (int i = 0; i < kLinks; ++i) {
    BodyDescription link;
    link.name = "link_" + std::to_string(i);
    link.mass = kMass;
    link.com.x() = 0.5 * kLength;
    link.inertia.diagonal().setConstant(kMass * kLength * kLength / 12.0);
    JointDescription pin;
    pin.name = "pin_" + std::to_string(i);
    pin.parent = i == 0 ? kGround : m.bodies.back().name;
    pin.child = link.name;
    if (i > 0) pin.at_parent.position.x() = kLength;
    m.add(link).add(pin);
  }
  SimulationOptions options;
  options.integrator = DormandPrince{1e-9, 1e-9};
  const StepGuard guard(Model(m), options);
  const auto jump = [&](double work) { return guard.jump(1e-4, {}, {0.0, 0.0, work}); };
  EXPECT_EQ(jump(7e-19), "");
  EXPECT_NE(jump(1e-14), "");
}

// The first step's error is both what it has changed and all that has changed.
TEST(EnergyGuard, WhatOneStepMayChangeIsNoDrift) {
  SimulationOptions options;
  options.integrator = DormandPrince{1e-9, 1e-9};
  const StepGuard guard(test::shipped("four_bar"), options);
  const Balance before{3.0, -2.0, 0.0};
  const auto jump = [&](double error) {
    return guard.jump(1e-3, before, {before.kinetic, before.potential + error, 0.0});
  };
  double most = 1e-12;  // J
  while (jump(1.01 * most).empty()) most *= 1.01;
  EnergyWatch energy;
  energy.peak_kinetic = before.kinetic;
  energy.lowest_potential = before.potential;
  energy.highest_potential = before.potential + most;
  energy.error = most;
  EXPECT_EQ(guard.drift(1, energy, 0.0), "");
  energy.error = 1.1 * most;
  EXPECT_NE(guard.drift(1, energy, 0.0), "");
}

// The work of a small force on what is at rest is integrated within the absolute tolerance, which
// is more than the energy at first.
TEST(EnergyGuard, LeavesMotionsThatForcesBeginAlone) {
  for (const double frequency : {1.0, 1000.0}) {
    Mechanism m;
    m.space = SpaceKind::kPlanar;
    BodyDescription body;
    body.name = "slider";
    body.mass = 1.0;
    body.inertia.setIdentity();
    JointDescription guide;
    guide.name = "guide";
    guide.type = JointType::kPrismatic;
    guide.parent = kGround;
    guide.child = "slider";
    Actuator motor;
    motor.name = "motor";
    motor.joint = "guide";
    motor.effort = Sine{0.0, 1.0, frequency, 0.0};
    const Model model(m.add(body).add(guide).add(motor));
    for (const Method& method : {Method(Bdf{}), Method(Auto{1e-4, 1e-4})}) {
      const double until = 10.0 / frequency;
      Simulation simulation(model, {.integrator = method});
      EXPECT_NO_THROW(simulation.run_until(until, until)) << to_name(method) << ' ' << frequency;
    }
  }
}

// A table that stands on two universal joints: it rests, and rounding of momenta makes p v / 2
// negative, whichever last digits its inertia has.
TEST(EnergyGuard, LetsAMechanismRest) {
  for (const double inertia : {0.07, 0.09, 0.1, 1.0 / 12.0}) {
    std::string text = "format = 1\nspace = 'spatial'\ngravity = [0, 0, -9.81]\n";
    const auto bar = [&](const std::string& name, const std::string& com) {
      const std::string J = to_text(inertia);
      text += "[[body]]\nname = '" + name + "'\nmass = 1.0\ncom = " + com + "\ninertia = [" + J +
              ", " + J + ", " + J + "]\n";
    };
    const auto joint = [&](const std::string& name, const std::string& said,
                           const std::string& place) {
      text += "[[joint]]\nname = '" + name + "'\n" + said + "\nat_parent = { position = " + place +
              " }\nat_child = { position = " + place + " }\n";
    };
    bar("left", "[0, 0, 0.5]");
    bar("right", "[1, 0, 0.5]");
    bar("top", "[0.5, 0, 1]");
    joint("A", "type = 'universal'\nparent = 'ground'\nchild = 'left'\ncut = true", "[0, 0, 0]");
    joint("B", "type = 'universal'\nparent = 'ground'\nchild = 'right'", "[1, 0, 0]");
    joint("C", "type = 'spherical'\nparent = 'left'\nchild = 'top'", "[0, 0, 1]");
    joint("D", "type = 'universal'\nparent = 'top'\nchild = 'right'", "[1, 0, 1]");
    Simulation simulation(Model(parse_native(text, "table.toml")));
    const auto recording = simulation.run_until(2.0, 2.0);
    EXPECT_LE(recording.summary.energy.max_error, 1e-12) << inertia;
    EXPECT_GE(recording.samples.back().kinetic_energy, 0.0) << inertia;
  }
}

// An effort without digits: steps of some 1e-12 s, none of which is refused, would go on for hours.
TEST(Standstill, EndsTheRun) {
  auto mechanism = test::shipped("double_pendulum").mechanism();
  const auto noise = [](double t, double, double) {
    return t < 5.0 ? 0.0 : 1e3 * std::sin(1e15 * t);
  };
  mechanism.add(EffortCallback{"noise", mechanism.joints.front().name, noise, {}});
  Simulation simulation{Model(mechanism), {.integrator = DormandPrince{}}};
  try {
    simulation.run_until(10.0, 10.0);
    FAIL() << "completed";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("so short that the run stands: the last 10000 took "),
              std::string::npos)
        << error.what();
    EXPECT_GT(error.time(), 4.999);
  }
}

// Times before the start are no time that steps took.
TEST(Standstill, IsJudgedByStepsSinceTheStart) {
  const auto model = test::shipped("double_pendulum");
  const SimulationOptions fixed{.integrator = RungeKutta4{1.0 / 128}};
  auto state = Simulation(model, fixed).state();
  state.t = 1 << 30;
  const auto run = Simulation(model, fixed, state).run_until(state.t + 200.0, 200.0);
  EXPECT_EQ(run.summary.steps, 25600);
}

TEST(EnergyGuard, LeavesErrorsOfTheSizeOfTolerancesAlone) { EXPECT_EQ(failure_of(1.0 + 1e-9), ""); }

}  // namespace
}  // namespace hamiltree
