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

class ChipSteps final : public FixedStep {
 public:
  ChipSteps(const Model& model, const CompiledStep& step, double h, DrivenChip& chip,
            OdeProblem& problem, double t, const double* y);

  std::string note() const override;

 private:
  int order() const override { return 1; }
  // Throws SimulationError for a step of another length, and where the chip reports a number that
  // is none.
  void take(double t, double h, double* y) override;
  std::vector<Word> words_of(const double* y) const;

  Model model_;
  const CompiledStep& compiled_;
  double h_;
  DrivenChip& chip_;
};

// A simulation of the model on the simulated chip: options.integrator is euler or
// semi_implicit_euler; there is no reset and no projection. The smallest engine that has room is
// taken. Throws UsageError for other options and where the simulated chip has not been built,
// ModelError for what the chip does not take.
MakeIntegrator chip_integrator(const Model& model, const SimulationOptions& options);

}  // namespace hamiltree::hardware
