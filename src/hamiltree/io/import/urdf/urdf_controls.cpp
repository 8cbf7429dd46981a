#include "hamiltree/io/import/urdf/urdf_controls.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/native_time_function.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/small_letters.hpp"
#include "hamiltree/io/import/time_functions.hpp"

namespace hamiltree::urdf {
namespace {

// How a joint is driven: "effort", "position", "velocity", and between which controls.
struct Interface {
  std::optional<double> lower, upper;
};
using Interfaces = std::map<std::string, std::map<std::string, Interface>>;  // by names of joints

// The word that stands in "hardware_interface/EffortJointInterface" or is all there is.
void add_interface(const std::string& written, std::map<std::string, Interface>& interfaces,
                   const Interface& bounds = {}) {
  const std::string text = in_small_letters(written);
  for (const char* word : {"effort", "position", "velocity"}) {
    if (text.find(word) != text.npos) interfaces[word] = bounds;
  }
}

// <param name="min"> and "max" of a <command_interface>.
Interface bounds_of_interface(const XmlElement& interface) {
  Interface bounds;
  for (const auto& parameter : interface.children("param")) {
    const std::string name = parameter.text_or("name", "");
    if (name == "min") bounds.lower = parameter.content_number();
    if (name == "max") bounds.upper = parameter.content_number();
  }
  return bounds;
}

Interfaces interfaces_of(const XmlElement& robot) {
  Interfaces all;
  for (const auto& transmission : robot.children("transmission")) {
    for (const auto& joint : transmission.children("joint")) {
      auto& own = all[joint.text("name")];
      for (const auto& part : joint.children("hardwareInterface")) {
        add_interface(part.content(), own);
      }
      for (const auto& actuator : transmission.children("actuator")) {
        for (const auto& part : actuator.children("hardwareInterface")) {
          add_interface(part.content(), own);
        }
      }
      // Transmissions older than these words drive by effort.
      if (own.empty()) own["effort"] = {};
    }
  }
  for (const auto& control : robot.children("ros2_control")) {
    for (const auto& joint : control.children("joint")) {
      auto& own = all[joint.text("name")];
      for (const auto& part : joint.children("command_interface")) {
        add_interface(part.text("name"), own, bounds_of_interface(part));
      }
    }
  }
  return all;
}

std::optional<double> effort_of(const XmlElement& robot, const std::string& name) {
  for (const auto& joint : robot.children("joint")) {
    const auto limit = joint.child("limit");
    if (joint.text_or("name", "") != name || !limit) continue;
    const double effort = limit->number_or("effort", 0.0);
    if (effort > 0.0) return effort;
  }
  return std::nullopt;
}

Servo motor(TomlReader& controls, std::optional<TomlReader>& gains, const std::string& joint) {
  Servo servo;
  servo.name = joint + "_motor";
  servo.joints = {joint};
  servo.ratios = {1.0};
  servo.where = controls.where();
  servo.effort = *read_number_or_time_function(controls, joint);
  if (auto own = gains ? gains->table(joint) : std::nullopt) {
    servo.stiffness = own->number_or("stiffness", 0.0);
    servo.damping = own->number_or("damping", 0.0);
    own->finish();
  }
  return servo;
}

std::string words_of(const std::map<std::string, Interface>& interfaces) {
  std::vector<std::string> words;
  for (const auto& [word, bounds] : interfaces) words.push_back(word);
  return listed(words);
}

// A constant control is clamped, another one must stay within.
TimeFunction within(const TimeFunction& control, const Interface& bounds, TomlReader& controls,
                    const std::string& name) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double lower = bounds.lower.value_or(-kNone), upper = bounds.upper.value_or(kNone);
  if (!(lower <= upper)) controls.fail(name, "its command interface has a min above its max");
  if (const auto value = constant_value(control)) {
    return Polynomial{{std::clamp(*value, lower, upper)}};
  }
  const auto reached = bounds_of(control);
  const bool inside = reached && reached->first >= lower && reached->second <= upper;
  if ((bounds.lower || bounds.upper) && !inside) {
    controls.fail(name, "the control leaves the min and max of its command interface");
  }
  return control;
}

}  // namespace

void add_controls(const XmlElement& robot, const std::string& file, Mechanism& mechanism) {
  const toml::table document = parse_toml(read_text(file), file);
  TomlReader reader(document, file, "");
  auto controls = reader.table("control");
  auto gains = reader.table("gains");
  const auto interfaces = interfaces_of(robot);
  for (const auto& [name, own] : interfaces) {
    if (!controls || !controls->has(name)) continue;
    const auto joint = std::ranges::find(mechanism.joints, name, &JointDescription::name);
    if (joint == mechanism.joints.end()) {
      controls->fail(name, "joint \"" + name + "\" is not in the model, or left out of it");
    }
    if (!has_one_freedom(*joint)) {
      controls->fail(name,
                     "joint \"" + name + "\" of the model has no motion along one coordinate");
    }
    if (own.empty()) controls->fail(name, "joint \"" + name + "\" has no command interface");
    Servo servo = motor(*controls, gains, name);
    const char* mode = servo.stiffness != 0.0 ? "position"
                       : servo.damping != 0.0 ? "velocity"
                                              : "effort";
    if (!own.contains(mode)) {
      controls->fail(name, "joint \"" + name + "\" has no motor that is driven by " + mode +
                               ", only by " + words_of(own) + "; [gains] says how it is driven");
    }
    servo.effort = within(servo.effort, own.at(mode), *controls, name);
    const double gain = servo.stiffness != 0.0 ? servo.stiffness : servo.damping;
    if (gain != 0.0) servo.effort = scaled(servo.effort, gain);
    if (const auto effort = effort_of(robot, name)) {
      servo.lower = -*effort;
      servo.upper = *effort;
    }
    mechanism.add(servo);
  }
  if (controls) controls->finish();
  if (gains) gains->finish();
  reader.finish();
}

}  // namespace hamiltree::urdf
