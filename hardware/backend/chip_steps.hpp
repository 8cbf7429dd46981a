// The chip as an integrator: Euler's steps of a planar mechanism, taken by the simulated engine
// through the C driver. Everything around the steps is as on the processor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/integrators/fixed_step.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "hardware/compiler/compile_step.hpp"
#include "hardware/tb/driven_chip.hpp"

namespace hamiltree::hardware {

// What a run on the chip keeps over restarts, at each of which the integrator is made anew.
struct ChipRun {
  CompiledStep step;
  Update update = Update::kEuler;
  double h = 0.0;  // s
  std::unique_ptr<DrivenChip> chip;
  // Of each coordinate: how far it has left the course of its velocities, which the processor
  // computes in double from the chip's states.
  std::vector<double> drift;
};

class ChipSteps final : public FixedStep {
 public:
  ChipSteps(const Model& model, std::shared_ptr<ChipRun> run, OdeProblem& problem, double t,
            const double* y);

  std::string note() const override;

 private:
  int order() const override { return 1; }
  // Throws SimulationError for a step of another length, and where the chip reports a number that
  // is none. The integrals, which are no words of the chip's state, are the processor's.
  void take(double t, double h, double* y) override;
  void take_on_chip(double* y);

  Model model_;
  std::shared_ptr<ChipRun> run_;
  std::vector<double> before_, y_dot_;
};

// A simulation of the model on the simulated chip: options.integrator is euler or
// semi_implicit_euler; there is no reset and no projection. The smallest engine that has room is
// taken. Throws UsageError for other options and where the simulated chip has not been built,
// ModelError for what the chip does not take.
MakeIntegrator chip_integrator(const Model& model, const SimulationOptions& options);

}  // namespace hamiltree::hardware
