// hamiltree giant: one chain of up to many millions of links, over threads and ranks.
#pragma once

#include <optional>
#include <string>

#include "method.hpp"
#include "options.hpp"

namespace hamiltree::app {

struct GiantArguments {
  ModelArguments model;
  std::optional<std::string> integrator;
  std::optional<double> step, until, every;  // s
  int threads = 1, stride = 0, segments = 0;
  std::optional<std::string> out;
  bool overwrite = false, json = false, quiet = false;
};

CLI::App* add_giant(CLI::App& app, GiantArguments& arguments);

// Throws UsageError, ModelError, SimulationError, and std::runtime_error for files.
void giant(const GiantArguments& arguments);

}  // namespace hamiltree::app
