// No run goes on after a step that changes the energy by more than its tolerances allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/simulation.hpp"
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

TEST(EnergyGuard, LeavesErrorsOfTheSizeOfTolerancesAlone) { EXPECT_EQ(failure_of(1.0 + 1e-9), ""); }

}  // namespace
}  // namespace hamiltree
