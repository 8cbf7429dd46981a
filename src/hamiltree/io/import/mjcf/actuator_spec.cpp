#include "hamiltree/io/import/mjcf/actuator_spec.hpp"

#include <numbers>

namespace hamiltree::mjcf {
namespace {

void read_limit(const XmlElement& element, const std::string& what, Limit& limit) {
  limit.limited = element.text_or(what + "limited", limit.limited);
  if (limit.limited != "true" && limit.limited != "false" && limit.limited != "auto") {
    element.fail(what + "limited must be true, false or auto");
  }
  if (element.has(what + "range")) limit.range = element.numbers(what + "range", 2);
}

// A list may be shorter than what it fills, and leaves the rest as it was.
template <class Vector>
void read_head(const XmlElement& element, const char* attribute, Vector& numbers) {
  if (!element.has(attribute)) return;
  const Eigen::VectorXd given = element.numbers(attribute);
  const auto count = std::min<Eigen::Index>(given.size(), numbers.size());
  numbers.head(count) = given.head(count);
}

double not_negative(const XmlElement& element, const char* attribute) {
  const double value = element.number(attribute);
  if (value < 0.0) element.fail(std::string(attribute) + " must not be negative");
  return value;
}

void read_common(const XmlElement& element, ActuatorSpec& spec) {
  read_limit(element, "ctrl", spec.control);
  read_limit(element, "act", spec.activation);
  read_limit(element, "force", spec.force);
  read_head(element, "gear", spec.gear);
  spec.group = element.number_or("group", spec.group);
  spec.armature = element.number_or("armature", spec.armature);
  if (element.number_or("delay", 0.0) != 0.0) {
    element.fail(
        "a delay of the control is not simulated; --no-actuators leaves all actuators out");
  }
  if (element.has("damping") && !element.numbers("damping").isZero(0.0)) {
    element.fail("damping of an actuator is not simulated; --no-actuators leaves all of them out");
  }
}

void read_general(const XmlElement& element, ActuatorSpec& spec) {
  spec.dynamics = element.text_or("dyntype", spec.dynamics);
  spec.gain = element.text_or("gaintype", spec.gain);
  spec.bias = element.text_or("biastype", spec.bias);
  read_head(element, "gainprm", spec.gain_prm);
  read_head(element, "biasprm", spec.bias_prm);
  if (element.has("dynprm")) spec.time_constant = element.numbers("dynprm")(0);
}

void set_types(const char* dynamics, const char* gain, const char* bias, ActuatorSpec& spec) {
  spec.dynamics = dynamics;
  spec.gain = gain;
  spec.bias = bias;
}

void read_position(const XmlElement& element, ActuatorSpec& spec) {
  const double kp = element.number_or("kp", spec.gain_prm(0));
  spec.gain_prm(0) = kp;
  spec.bias_prm(1) = -kp;
  if (element.has("kv") && element.has("dampratio")) {
    element.fail("has both kv and dampratio, which exclude each other");
  }
  if (element.has("kv")) spec.bias_prm(2) = -not_negative(element, "kv");
  if (element.has("dampratio")) spec.bias_prm(2) = not_negative(element, "dampratio");
  if (element.has("timeconst")) {
    spec.time_constant = not_negative(element, "timeconst");
    spec.dynamics = spec.time_constant == 0.0 ? "none" : "filterexact";
  }
  spec.inherit_range = element.number_or("inheritrange", spec.inherit_range);
  spec.gain = "fixed";
  spec.bias = "affine";
}

void read_velocity(const XmlElement& element, ActuatorSpec& spec) {
  const double kv = element.number_or("kv", spec.gain_prm(0));
  spec.gain_prm(0) = kv;
  spec.bias_prm = {0.0, 0.0, -kv};
  set_types("none", "fixed", "affine", spec);
}

void read_damper(const XmlElement& element, ActuatorSpec& spec) {
  const double kv = element.has("kv") ? not_negative(element, "kv") : -spec.gain_prm(2);
  spec.gain_prm = {0.0, 0.0, -kv};
  spec.control.limited = "true";
  set_types("none", "affine", "none", spec);
}

void read_cylinder(const XmlElement& element, ActuatorSpec& spec) {
  spec.time_constant = element.number_or("timeconst", spec.time_constant);
  read_head(element, "bias", spec.bias_prm);
  spec.gain_prm(0) = element.number_or("area", spec.gain_prm(0));
  if (element.has("diameter")) {
    const double diameter = element.number("diameter");
    spec.gain_prm(0) = std::numbers::pi / 4.0 * diameter * diameter;
  }
  set_types("filter", "fixed", "affine", spec);
}

void read_kind(const XmlElement& element, ActuatorSpec& spec) {
  const std::string kind = element.name();
  if (kind == "general") {
    read_general(element, spec);
  } else if (kind == "motor") {
    spec.gain_prm(0) = 1.0;
    set_types("none", "fixed", "none", spec);
  } else if (kind == "position") {
    read_position(element, spec);
  } else if (kind == "intvelocity") {
    read_position(element, spec);
    spec.dynamics = "integrator";
  } else if (kind == "velocity") {
    read_velocity(element, spec);
  } else if (kind == "damper") {
    read_damper(element, spec);
  } else if (kind == "cylinder") {
    read_cylinder(element, spec);
  } else {
    set_types(kind.c_str(), kind.c_str(), kind.c_str(), spec);
  }
}

// Where the position of a servo is fed back, a positive coefficient of the velocity stands for a
// damping ratio.
void take_damping_ratio(ActuatorSpec& spec) {
  if (spec.gain_prm(0) != -spec.bias_prm(1) || !(spec.bias_prm(2) > 0.0)) return;
  spec.damping_ratio = spec.bias_prm(2);
  spec.bias_prm(2) = 0.0;
}

// Only where the control stands for the length does the actuator inherit its range; a class may
// give `inheritrange` to others, which have no use for it.
void drop_idle_inherit_range(ActuatorSpec& spec) {
  const bool follows =
      spec.gain == "fixed" && spec.bias == "affine" && spec.gain_prm(0) == -spec.bias_prm(1);
  if (!follows) spec.inherit_range = 0.0;
}

}  // namespace

bool Limit::holds(const Compiler& compiler) const {
  if (limited == "auto") {
    return compiler.automatic_limits && range && (*range)(0) < (*range)(1);
  }
  return limited == "true";
}

ActuatorSpec read_actuator_spec(const XmlElement& element, const Defaults& defaults) {
  ActuatorSpec spec;
  auto elements = defaults.actuators_of(element);
  elements.push_back(element);
  for (const auto& one : elements) {
    read_common(one, spec);
    read_kind(one, spec);
  }
  if (spec.gain == "fixed") spec.gain_prm.tail<2>().setZero();
  if (spec.bias == "none") spec.bias_prm.setZero();
  take_damping_ratio(spec);
  drop_idle_inherit_range(spec);
  return spec;
}

}  // namespace hamiltree::mjcf
