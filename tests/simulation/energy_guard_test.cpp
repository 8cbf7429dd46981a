// No run goes on after a step that changes the energy by more than its tolerances allow.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

// Takes the steps of a method; from `since` on, each multiplies the momenta by `factor`.
class Pushing final : public Integrator {
 public:
  Pushing(OdeProblem& problem, double t, const double* y, double since, double factor)
      : problem_(problem),
        method_(make_integrator(DormandPrince{1e-9, 1e-9}, problem, t, y)),
        y_(y, y + problem.size()),
        since_(since),
        factor_(factor) {}

  void step(double stop) override {
    method_->step(stop);
    y_.assign(method_->y(), method_->y() + problem_.size());
    if (time() < since_) return;
    for (int i = problem_.coordinates(); i < problem_.size(); ++i) {
      y_[static_cast<std::size_t>(i)] *= factor_;
    }
    problem_.accept(time(), y_.data());
  }
  double time() const override { return method_->time(); }
  const double* y() const override { return y_.data(); }
  Step last_step() const override { return method_->last_step(); }
  IntegratorCounts counts() const override { return method_->counts(); }

 private:
  OdeProblem& problem_;
  std::unique_ptr<Integrator> method_;
  std::vector<double> y_;
  double since_, factor_;
};

std::string failure_of(double factor) {
  SimulationOptions options;
  options.integrator = DormandPrince{1e-9, 1e-9};
  Simulation simulation(test::shipped("four_bar"), options,
                        [&](OdeProblem& problem, double t, const double* y) {
                          return std::make_unique<Pushing>(problem, t, y, 0.2, factor);
                        });
  try {
    simulation.run_until(0.4, 0.1);
  } catch (const SimulationError& error) {
    EXPECT_GE(error.time(), 0.2);
    return error.what();
  }
  return "";
}

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

TEST(EnergyGuard, LeavesErrorsOfTheSizeOfTolerancesAlone) { EXPECT_EQ(failure_of(1.0 + 1e-9), ""); }

}  // namespace
}  // namespace hamiltree
