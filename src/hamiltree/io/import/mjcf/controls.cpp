#include "hamiltree/io/import/mjcf/controls.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/mjcf/keyframe.hpp"
#include "hamiltree/io/import/native_time_function.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/time_functions.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr double kFilterEnd = 30.0;  // time constants, after which nothing is left of the start
constexpr int kFilterSamples = 400;

using Functions = std::vector<std::optional<TimeFunction>>;

// The contents of a file of controls, in the order of the actuators.
Functions read_control_file(const std::string& file, const std::vector<Driven>& actuators) {
  const toml::table document = parse_toml(read_text(file), file);
  TomlReader reader(document, file, "");
  Functions functions(actuators.size());
  if (auto controls = reader.table("control")) {
    for (std::size_t i = 0; i < actuators.size(); ++i) {
      functions[i] = read_number_or_time_function(*controls, actuators[i].name);
    }
    controls->finish();
  }
  reader.finish();
  return functions;
}

// The numbers of a keyframe, as many as are needed; zeros where it has none.
Eigen::VectorXd numbers_of(const std::optional<XmlElement>& key, const char* attribute,
                           std::size_t count) {
  const auto needed = static_cast<Eigen::Index>(count);
  if (!key || !key->has(attribute)) return Eigen::VectorXd::Zero(needed);
  Eigen::VectorXd numbers = key->numbers(attribute);
  if (numbers.size() != needed) {
    key->fail(std::string(attribute) + " has " + std::to_string(numbers.size()) +
              " numbers, the actuators need " + std::to_string(needed));
  }
  return numbers;
}

[[noreturn]] void fail_control(const Driven& actuator, const std::string& sentence) {
  actuator.element.fail("the control of actuator \"" + actuator.name + "\" " + sentence);
}

// A constant control is clamped, another one has to stay within.
TimeFunction held_in_range(TimeFunction control, const Driven& actuator, const Settings& settings) {
  const auto& limit = actuator.spec.control;
  if (settings.disabled.contains("clampctrl") || !limit.holds(settings.compiler)) return control;
  if (!limit.range) fail_control(actuator, "is limited, but has no ctrlrange");
  const double lower = (*limit.range)(0), upper = (*limit.range)(1);
  if (!(lower <= upper)) actuator.element.fail("ctrlrange must ascend");
  if (const auto value = constant_value(control)) {
    return Polynomial{{std::clamp(*value, lower, upper)}};
  }
  const auto bounds = bounds_of(control);
  if (!bounds || bounds->first < lower || bounds->second > upper) {
    fail_control(actuator, "leaves its range, " + to_short(lower) + " to " + to_short(upper));
  }
  return control;
}

// a(t) = u + (a0 - u) exp(-t / T), as a table whose spline is off by less than 1e-10 of the way:
// the samples are as dense as the exponential is curved.
TimeFunction filtered(double start, double control, double T) {
  if (start == control || !(T > 0.0)) return Polynomial{{control}};
  Table table;
  const double last = 1.0 - std::exp(-kFilterEnd / 4.0);
  for (int k = 0; k <= kFilterSamples; ++k) {
    const double x = -4.0 * std::log1p(-last * k / kFilterSamples);  // t / T
    table.times.push_back(T * x);
    table.values.push_back(control + (start - control) * std::exp(-x));
  }
  table.start_rate = (control - start) / T;
  // Before the start nobody looks, after the end it stands still.
  return table;
}

TimeFunction activation(const TimeFunction& control, double start, const Driven& actuator,
                        const Settings& settings) {
  const auto value = constant_value(control);
  if (!value) {
    fail_control(actuator, "changes in time, which is not simulated of an actuator with dynamics");
  }
  const auto& spec = actuator.spec;
  if (spec.dynamics != "integrator") return filtered(start, *value, spec.time_constant);
  const auto& limit = spec.activation;
  const bool limited = limit.holds(settings.compiler) && limit.range;
  if (*value == 0.0) {
    return Polynomial{{limited ? std::clamp(start, (*limit.range)(0), (*limit.range)(1)) : start}};
  }
  if (limited) {
    fail_control(actuator, "is integrated until it leaves actrange, which is not simulated");
  }
  return Polynomial{{start, *value}};
}

}  // namespace

std::vector<TimeFunction> read_inputs(const XmlElement& root, const std::vector<Driven>& actuators,
                                      const Settings& settings, const ImportOptions& options) {
  Functions given(actuators.size());
  if (!options.control.empty()) given = read_control_file(options.control, actuators);
  std::optional<XmlElement> key;
  if (!options.keyframe.empty()) key = find_key(root, options.keyframe);
  const auto has_state = [](const Driven& a) { return a.spec.dynamics != "none"; };
  const auto states = static_cast<std::size_t>(std::ranges::count_if(actuators, has_state));
  const Eigen::VectorXd controls = numbers_of(key, "ctrl", actuators.size());
  const Eigen::VectorXd activations = numbers_of(key, "act", states);
  std::vector<TimeFunction> inputs;
  Eigen::Index state = 0;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const auto& actuator = actuators[i];
    const TimeFunction control =
        held_in_range(given[i].value_or(Polynomial{{controls(static_cast<Eigen::Index>(i))}}),
                      actuator, settings);
    inputs.push_back(has_state(actuator)
                         ? activation(control, activations(state++), actuator, settings)
                         : control);
  }
  return inputs;
}

}  // namespace hamiltree::mjcf
