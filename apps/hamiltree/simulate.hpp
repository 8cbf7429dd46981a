// hamiltree simulate: moves a mechanism and writes what happened.
#pragma once

#include <optional>
#include <string>

#include "method.hpp"
#include "options.hpp"
#include "run.hpp"

namespace hamiltree::app {

struct SimulateArguments {
  ModelArguments model;
  std::optional<std::string> formulation, backend;
  bool generated = false;
  MethodArguments method;
  std::optional<double> until, every;  // s
  std::optional<double> checkpoint;    // s
  std::optional<double> max_energy_error, max_constraint_error;
  bool overwrite = false;
  OutputArguments output;
};

CLI::App* add_simulate(CLI::App& app, SimulateArguments& arguments);

// Throws what stops it: UsageError, ModelError, SimulationError, Interrupted, std::runtime_error
// for files that cannot be written, GateFailed. After a SimulationError what was reached has been
// written.
void simulate(const SimulateArguments& arguments);

}  // namespace hamiltree::app
