#include "hamiltree/io/import/mjcf/actuator_spec.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace hamiltree::mjcf {
namespace {

constexpr const char *kGeneral = "general", *kDamper = "damper";

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
  if (element.name() == kDamper) spec.control.limited = "true";
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

void read_general(const XmlElement& element, ActuatorLaw& law) {
  law.dynamics = element.text_or("dyntype", law.dynamics);
  law.gain = element.text_or("gaintype", law.gain);
  law.bias = element.text_or("biastype", law.bias);
  read_head(element, "gainprm", law.gain_prm);
  read_head(element, "biasprm", law.bias_prm);
  if (element.has("dynprm")) law.time_constant = element.numbers("dynprm")(0);
}

void set_types(const char* dynamics, const char* gain, const char* bias, ActuatorLaw& law) {
  law.dynamics = dynamics;
  law.gain = gain;
  law.bias = bias;
}

void read_position(const XmlElement& element, ActuatorLaw& law) {
  set_types(law.dynamics == "filterexact" ? "filterexact" : "none", "fixed", "affine", law);
  const double kp = element.number_or("kp", law.gain_prm(0));
  law.gain_prm(0) = kp;
  law.bias_prm.head<2>() = Eigen::Vector2d(0.0, -kp);
  if (element.has("kv") && element.has("dampratio")) {
    element.fail("has both kv and dampratio, which exclude each other");
  }
  if (element.has("kv")) law.bias_prm(2) = -not_negative(element, "kv");
  if (element.has("dampratio")) law.bias_prm(2) = not_negative(element, "dampratio");
  if (element.has("timeconst")) {
    law.time_constant = not_negative(element, "timeconst");
    law.dynamics = law.time_constant == 0.0 ? "none" : "filterexact";
  }
  law.inherit_range = element.number_or("inheritrange", law.inherit_range);
}

void read_velocity(const XmlElement& element, ActuatorLaw& law) {
  set_types("none", "fixed", "affine", law);
  const double kv = element.number_or("kv", law.gain_prm(0));
  law.gain_prm(0) = kv;
  law.bias_prm = {0.0, 0.0, -kv};
}

void read_damper(const XmlElement& element, ActuatorLaw& law) {
  set_types("none", "affine", "none", law);
  const double kv = element.has("kv") ? not_negative(element, "kv") : -law.gain_prm(2);
  law.gain_prm = {0.0, 0.0, -kv};
}

void read_cylinder(const XmlElement& element, ActuatorLaw& law) {
  set_types("filter", "fixed", "affine", law);
  law.time_constant = element.number_or("timeconst", law.time_constant);
  read_head(element, "bias", law.bias_prm);
  law.gain_prm(0) = element.number_or("area", law.gain_prm(0));
  if (element.has("diameter")) {
    const double diameter = element.number("diameter");
    law.gain_prm(0) = std::numbers::pi / 4.0 * diameter * diameter;
  }
}

void read_law(const XmlElement& element, ActuatorLaw& law) {
  const std::string kind = element.name();
  if (kind == kGeneral) {
    read_general(element, law);
  } else if (kind == "motor") {
    set_types("none", "fixed", "none", law);
    law.gain_prm(0) = 1.0;
  } else if (kind == "position") {
    read_position(element, law);
  } else if (kind == "intvelocity") {
    read_position(element, law);
    law.dynamics = "integrator";
  } else if (kind == "velocity") {
    read_velocity(element, law);
  } else if (kind == kDamper) {
    read_damper(element, law);
  } else if (kind == "cylinder") {
    read_cylinder(element, law);
  } else {
    set_types(kind.c_str(), kind.c_str(), kind.c_str(), law);
  }
}

// The law that a class holds, and the kind of the element that wrote it last.
struct ClassLaw {
  ActuatorLaw law = {};
  std::string kind = kGeneral;

  // Whether an element of this kind changes it; another begins anew.
  bool serves(const std::string& other) const {
    if (kind == other || other == kGeneral) return true;
    return kind == kGeneral && law.gain == (other == kDamper ? "affine" : "fixed");
  }
};

// From the classes around, outermost first.
ActuatorLaw law_for(const std::string& kind, const std::vector<ClassLaw>& around) {
  const auto found = std::find_if(around.rbegin(), around.rend(),
                                  [&](const ClassLaw& one) { return one.serves(kind); });
  return found == around.rend() ? ActuatorLaw{} : found->law;
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
  auto classes = defaults.actuators_of(element);
  classes.push_back({element});
  std::vector<ClassLaw> laws(1);
  for (const auto& elements : classes) {
    ClassLaw own = laws.back();
    for (const auto& one : elements) {
      read_common(one, spec);
      if (!own.serves(one.name())) own.law = law_for(one.name(), laws);
      own.kind = one.name();
      read_law(one, own.law);
    }
    laws.push_back(own);
  }
  static_cast<ActuatorLaw&>(spec) = laws.back().law;
  if (spec.gain == "fixed") spec.gain_prm.tail<2>().setZero();
  if (spec.bias == "none") spec.bias_prm.setZero();
  take_damping_ratio(spec);
  drop_idle_inherit_range(spec);
  return spec;
}

}  // namespace hamiltree::mjcf
