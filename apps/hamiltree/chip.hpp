// hamiltree chip: compiles a mechanism's step for the chip.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"

namespace hamiltree::app {

struct ChipArguments {
  ModelArguments model;
  std::optional<std::string> integrator, lanes, instances;
  std::optional<double> step;  // s
  std::optional<std::string> folder;
};

CLI::App* add_chip(CLI::App& app, ChipArguments& arguments);

// Throws UsageError, ModelError, and std::runtime_error for files that cannot be written.
void chip(const ChipArguments& arguments);

}  // namespace hamiltree::app
