// The commands of hamiltree, each in the file of its name. They throw UsageError, ModelError,
// SimulationError, Interrupted, GateFailed, and std::runtime_error for files that cannot be read or
// written; what a run has reached before it fails has been written.
#pragma once

#include <vector>

#include "command.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::app {

// Another place where steps are taken than this processor, for --backend.
using MakeChipIntegrator = MakeIntegrator (*)(const Model&, const SimulationOptions&);

Command add_simulate(CLI::App& app, MakeChipIntegrator chip = nullptr);
Command add_resume(CLI::App& app);
Command add_view(CLI::App& app);
Command add_info(CLI::App& app);
Command add_linearize(CLI::App& app);
Command add_equilibrium(CLI::App& app);
Command add_kinematics(CLI::App& app);
Command add_inverse_dynamics(CLI::App& app);
Command add_transmission(CLI::App& app);
Command add_convert(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_diff(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_distributed(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_bench(CLI::App& app);
// Prints the manual page and the completion for bash; packages are made by it, and no help lists
// it.
Command add_describe(CLI::App& app);
// Is called by simulate, for each controller that is a file; no help lists it.
Command add_run_controller(CLI::App& app);

// All of them, in the order of the help.
inline std::vector<AddCommand> all_commands() {
  return {[](CLI::App& app) { return add_simulate(app); },
          add_resume,
          add_view,
          add_info,
          add_convert,
          add_compare,
          add_diff,
          add_sweep,
          add_distributed,
          add_linearize,
          add_equilibrium,
          add_kinematics,
          add_inverse_dynamics,
          add_transmission,
          add_generate,
          add_bench,
          add_describe,
          add_run_controller};
}

}  // namespace hamiltree::app
