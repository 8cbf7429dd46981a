// hamiltree simulate: moves a mechanism and writes what happened.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"
#include "run.hpp"

namespace hamiltree::app {

struct SimulateArguments {
  ModelArguments model;
  std::optional<std::string> formulation, integrator, weights;
  std::optional<double> rtol, atol, step;  // s
  std::optional<double> until, every;      // s
  bool reset = true, projection = true, energy_scaling = false;
  std::optional<double> leak, baumgarte;
  std::optional<double> checkpoint;  // s
  std::optional<double> max_energy_error, max_constraint_error;
  OutputArguments output;
};

CLI::App* add_simulate(CLI::App& app, SimulateArguments& arguments);

// Throws what stops it: UsageError, ModelError, SimulationError, Interrupted, std::runtime_error
// for files that cannot be written, GateFailed. After a SimulationError what was reached has been
// written.
void simulate(const SimulateArguments& arguments);

}  // namespace hamiltree::app
