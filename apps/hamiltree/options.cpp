#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "hamiltree/base/error.hpp"
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

double positive(const std::string& name, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value))
    throw UsageError(name + ": \"" + text + "\" is not a number");
  if (!(*value > 0.0)) throw UsageError(name + " must be more than 0, it is " + text);
  return *value;
}

}  // namespace

void add_model(CLI::App& command, ModelArguments& model) {
  command.add_option("MODEL", model.file, "model file (docs/formats/model.md)")
      ->required()
      ->type_name("");
  command
      .add_option("--set", model.overrides,
                  "change a value of the file, as in body.crank.mass=2; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_positive(CLI::App& command, const std::string& name, std::optional<double>& value,
                          const std::string& help) {
  return add_reader(command, name, "NUMBER", help,
                    [name, &value](const std::string& text) { value = positive(name, text); });
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

CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& value,
                        const std::string& help) {
  return add_reader(command, name, "on|off", help, [name, &value](const std::string& text) {
    if (text != "on" && text != "off") {
      throw UsageError(name + ": \"" + text + "\" is neither on nor off");
    }
    value = text == "on";
  });
}

}  // namespace hamiltree::app
