#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/printable.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::app {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

CLI::Option* add_reader(CLI::App& command, const std::string& name, const std::string& type,
                        const std::string& help,
                        const std::function<void(const std::string&)>& read) {
  return command.add_option_function<std::string>(name, read, help)
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

double finite(const std::string& name, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value))
    throw UsageError(name + ": \"" + text + "\" is not a number");
  return *value;
}

double positive(const std::string& name, const std::string& text) {
  const double value = finite(name, text);
  if (!(value > 0.0)) throw UsageError(name + " must be more than 0, it is " + text);
  return value;
}

}  // namespace

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

void add_files_elsewhere(CLI::App& command, bool& files_elsewhere) {
  command
      .add_flag("--files-elsewhere", files_elsewhere,
                "files that a model names may lie outside of its folder")
      ->group("Import");
}

void add_model_options(CLI::App& command, ModelArguments& model) {
  command
      .add_option("--set", model.overrides,
                  "change a value of the file, as in body.crank.mass=2; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  auto& import = model.import;
  command.add_flag("--strict", import.strict, "warnings of an import are errors")->group("Import");
  command
      .add_flag("--balance-inertia", import.balance_inertia,
                "make principal moments of inertia that no body can have equal, with the same sum")
      ->group("Import");
  command
      .add_flag("--accept-inertia", import.accept_inertia,
                "accept principal moments of inertia of which two together are less than the third")
      ->group("Import");
  command
      .add_flag("--fixed-base", import.fixed_base, "URDF, SDF: fix to the ground what would float")
      ->group("Import");
  add_files_elsewhere(command, import.files_elsewhere);
  command.add_flag("--no-actuators", import.no_actuators, "MJCF: leave the actuators out")
      ->group("Import");
  add_text(
      command, "--control", "FILE", [&import](const auto& text) { import.control = text; },
      "MJCF, URDF: file with the control of each actuator, a number or a function of time")
      ->group("Import");
  add_text(
      command, "--keyframe", "NAME", [&import](const auto& text) { import.keyframe = text; },
      "MJCF: start from this keyframe, with its controls")
      ->group("Import");
}

void add_model(CLI::App& command, ModelArguments& model) {
  command.add_option("MODEL", model.file, "model file: native, URDF, SDF or MJCF (docs/formats)")
      ->required()
      ->type_name("");
  add_model_options(command, model);
}

ModelSource read_model(const ModelArguments& model, bool quiet) {
  ImportLog log(model.import.strict);
  auto source = hamiltree::read_model(model.file, model.import, log);
  if (!quiet) {
    for (const auto& line : log.lines()) std::cerr << "hamiltree: " << printable(line) << '\n';
  }
  return source;
}

CLI::Option* add_positive(CLI::App& command, const std::string& name, std::optional<double>& value,
                          const std::string& help) {
  return add_reader(command, name, "NUMBER", help,
                    [name, &value](const std::string& text) { value = positive(name, text); });
}

CLI::Option* add_number(CLI::App& command, const std::string& name,
                        const std::function<void(double)>& take, const std::string& help) {
  return add_reader(command, name, "NUMBER", help,
                    [name, take](const std::string& text) { take(finite(name, text)); });
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const std::string& type,
                      const std::function<void(const std::string&)>& take,
                      const std::string& help) {
  return add_reader(command, name, type, help, [name, take](const std::string& text) {
    if (text.empty()) throw UsageError(name + " must not be empty");
    take(text);
  });
}

CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& type, const std::string& help) {
  const auto read = [name, &values](const std::vector<std::string>& lists) {
    for (const auto& list : lists) {
      for (const auto& word : split_at_commas(list)) {
        if (word.empty()) throw UsageError(name + ": \"" + list + "\" has an empty value");
        values.push_back(word);
      }
    }
  };
  return command.add_option_function<std::vector<std::string>>(name, read, help)
      ->type_name(type)
      ->allow_extra_args(false);
}

CLI::Option* add_count(CLI::App& command, const std::string& name, int& value,
                       const std::string& help) {
  return add_reader(command, name, "COUNT", help, [name, &value](const std::string& text) {
    const auto number = parse_number(text);
    if (!number || !(*number >= 0.0) || *number > 1e9 || *number != std::floor(*number))
      throw UsageError(name + " must be a whole number, 0 or more, not \"" + text + "\"");
    value = static_cast<int>(*number);
  });
}

CLI::Option* add_interval(CLI::App& command, const std::string& name, std::optional<double>& value,
                          const std::string& help) {
  return add_reader(command, name, "NUMBER|step", help, [name, &value](const std::string& text) {
    value = text == "step" ? kEveryStep : positive(name, text);
  });
}

CLI::Option* add_choice(CLI::App& command, const std::string& name,
                        std::optional<std::string>& value, const std::vector<std::string>& choices,
                        const std::string& help) {
  return add_reader(
      command, name, joined(choices, "|"), help, [name, choices, &value](const std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
          throw UsageError(name + ": \"" + text + "\" is not one of " + joined(choices, ", "));
        }
        value = text;
      });
}

namespace {

template <class Value>
CLI::Option* add_switch_of(CLI::App& command, const std::string& name, Value& value,
                           const std::string& help) {
  return add_reader(command, name, "on|off", help, [name, &value](const std::string& text) {
    if (text != "on" && text != "off") {
      throw UsageError(name + ": \"" + text + "\" is neither on nor off");
    }
    value = text == "on";
  });
}

}  // namespace

CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& value,
                        const std::string& help) {
  return add_switch_of(command, name, value, help);
}

CLI::Option* add_switch(CLI::App& command, const std::string& name, std::optional<bool>& value,
                        const std::string& help) {
  return add_switch_of(command, name, value, help);
}

}  // namespace hamiltree::app
