// hamiltree compare: formulations, or runs that are there already, side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "method.hpp"
#include "options.hpp"

namespace hamiltree::app {

struct CompareArguments {
  std::vector<std::string> what;  // a model file, or folders of runs
  std::optional<std::string> formulations;
  ModelArguments model;  // without the file
  MethodArguments method;
  std::optional<double> until, every;  // s
  std::optional<std::string> folder;
  bool quiet = false;
};

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments);

// Throws UsageError, ModelError, SimulationError after what was reached has been written, and
// std::runtime_error for files that cannot be read or written.
void compare(const CompareArguments& arguments);

}  // namespace hamiltree::app
