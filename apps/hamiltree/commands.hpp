// The commands of hamiltree, each in the file of its name. They throw UsageError, ModelError,
// SimulationError, Interrupted, GateFailed, and std::runtime_error for files that cannot be read or
// written; what a run has reached before it fails has been written.
#pragma once

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
Command add_convert(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_distributed(CLI::App& app);
Command add_generate(CLI::App& app);
Command add_bench(CLI::App& app);
// Prints the manual page and the completion for bash; packages are made by it, and no help lists
// it.
Command add_describe(CLI::App& app);
// Is called by simulate, for each controller that is a file; no help lists it.
Command add_run_controller(CLI::App& app);

}  // namespace hamiltree::app
