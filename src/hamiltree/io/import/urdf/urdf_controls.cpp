#include "hamiltree/io/import/urdf/urdf_controls.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/native_time_function.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/time_functions.hpp"

namespace hamiltree::urdf {
namespace {

// "effort", "position" and "velocity", by the names of joints.
using Interfaces = std::map<std::string, std::set<std::string>>;

// The word that stands in "hardware_interface/EffortJointInterface" or is all there is.
void add_interface(std::string text, std::set<std::string>& interfaces) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"effort", "position", "velocity"}) {
    if (text.find(word) != text.npos) interfaces.insert(word);
  }
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
    }
  }
  for (const auto& control : robot.children("ros2_control")) {
    for (const auto& joint : control.children("joint")) {
      auto& own = all[joint.text("name")];
      for (const auto& part : joint.children("command_interface")) {
        add_interface(part.text("name"), own);
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
    if (joint == mechanism.joints.end() || !has_one_freedom(*joint)) {
      controls->fail(name,
                     "joint \"" + name + "\" of the model has no motion along one coordinate");
    }
    Servo servo = motor(*controls, gains, name);
    const char* mode = servo.stiffness != 0.0 ? "position"
                       : servo.damping != 0.0 ? "velocity"
                                              : "effort";
    if (!own.contains(mode)) {
      controls->fail(name, "joint \"" + name + "\" has no motor that is driven by " + mode);
    }
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
