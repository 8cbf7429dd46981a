// hamiltree convert: writes a model in another format.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"

namespace hamiltree::app {

struct ConvertArguments {
  ModelArguments model;
  std::optional<std::string> format, file;
};

CLI::App* add_convert(CLI::App& app, ConvertArguments& arguments);

// Throws UsageError, ModelError for what cannot be read or what the format cannot say, and
// std::runtime_error for a file that cannot be written.
void convert(const ConvertArguments& arguments);

}  // namespace hamiltree::app
