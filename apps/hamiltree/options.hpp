// Options that commands share, and readers of values that answer with one clear sentence. All throw
// UsageError that names the option. An option given twice counts as given the last time.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"

namespace hamiltree::app {

struct ModelArguments {
  std::string file;
  std::vector<std::string> overrides;  // "path=value"
  ImportOptions import;
};

// --files-elsewhere, of all that reads files which a model names.
void add_files_elsewhere(CLI::App& command, bool& files_elsewhere);
// --set and what concerns the import of other formats.
void add_model_options(CLI::App& command, ModelArguments& model);
// The model file and these.
void add_model(CLI::App& command, ModelArguments& model);

// The file as native text. What the import has to tell goes to stderr, unless quiet.
ModelSource read_model(const ModelArguments& model, bool quiet = false);

// A number more than 0, read independently of the locale.
CLI::Option* add_positive(CLI::App& command, const std::string& name, std::optional<double>& value,
                          const std::string& help);

// Any finite number.
CLI::Option* add_number(CLI::App& command, const std::string& name,
                        const std::function<void(double)>& take, const std::string& help);

// A text that is not empty, such as the name of a file; `type` stands for it in the help.
CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& type,
                      const std::function<void(const std::string&)>& take, const std::string& help);

// "a,,b" has an empty one.
std::vector<std::string> split_at_commas(const std::string& text);

// Names by commas, none of them empty; given twice, the option adds to them.
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& type, const std::string& help);

// A whole number, 0 or more.
CLI::Option* add_count(CLI::App& command, const std::string& name, int& value,
                       const std::string& help);

// A number more than 0, or the word for kEveryStep, "step".
CLI::Option* add_interval(CLI::App& command, const std::string& name, std::optional<double>& value,
                          const std::string& help);

// One of a few words.
CLI::Option* add_choice(CLI::App& command, const std::string& name,
                        std::optional<std::string>& value, const std::vector<std::string>& choices,
                        const std::string& help);

// on or off.
CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& value,
                        const std::string& help);
CLI::Option* add_switch(CLI::App& command, const std::string& name, std::optional<bool>& value,
                        const std::string& help);

}  // namespace hamiltree::app
