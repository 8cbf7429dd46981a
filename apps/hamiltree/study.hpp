// hamiltree study: regenerates a paper, or answers a question about the engine.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"

namespace hamiltree::app {

struct StudyArguments {
  std::string name;
  bool quick = false, quiet = false;
  std::optional<std::string> folder;
};

CLI::App* add_study(CLI::App& app, StudyArguments& arguments);

// Throws UsageError for an unknown study, std::runtime_error for files that cannot be written.
void study(const StudyArguments& arguments);

}  // namespace hamiltree::app
