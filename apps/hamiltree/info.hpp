// hamiltree info: what a model is and how it would be computed, without moving it.
#pragma once

#include <filesystem>
#include <optional>

#include "options.hpp"

namespace hamiltree::app {

struct InfoArguments {
  ModelArguments model;
  bool json = false;
  bool plan = false;  // the tree of compounds as well
  std::optional<std::filesystem::path> drawing;
};

CLI::App* add_info(CLI::App& app, InfoArguments& arguments);

// Throws UsageError and ModelError.
void info(const InfoArguments& arguments);

}  // namespace hamiltree::app
