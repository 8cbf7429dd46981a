// hamiltree generate: writes a model's equations of motion as C.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"

namespace hamiltree::app {

struct GenerateArguments {
  ModelArguments model;
  std::string file;
  std::optional<std::string> formulation, parameters;
  bool lanes = false;
};

CLI::App* add_generate(CLI::App& app, GenerateArguments& arguments);

// Throws UsageError, ModelError, and std::runtime_error for files that cannot be written.
void generate(const GenerateArguments& arguments);

}  // namespace hamiltree::app
