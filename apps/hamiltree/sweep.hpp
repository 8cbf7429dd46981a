// hamiltree sweep: runs many samples of one mechanism.
#pragma once

#include <optional>
#include <stdexcept>

#include "options.hpp"
#include "run.hpp"

namespace hamiltree::app {

struct SweepArguments {
  ModelArguments study;  // its file is that of the study, the rest concerns its model
  std::optional<double> threads;
  OutputArguments output;
};

struct AllSamplesFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

CLI::App* add_sweep(CLI::App& app, SweepArguments& arguments);

// Throws what run_sweep() throws, AllSamplesFailed, after the results are written, and
// InterruptedSweep.
void sweep(const SweepArguments& arguments);

}  // namespace hamiltree::app
