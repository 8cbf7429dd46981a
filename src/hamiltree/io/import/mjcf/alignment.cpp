#include "hamiltree/io/import/mjcf/alignment.hpp"

#include <algorithm>
#include <initializer_list>

#include "hamiltree/io/import/mjcf/keyframe.hpp"

namespace hamiltree::mjcf {
namespace {

// Whether an attribute of an element in the section is this name.
bool is_named(const XmlElement& root, const char* section,
              std::initializer_list<const char*> attributes, const std::string& name) {
  for (const auto& part : root.children(section)) {
    for (const auto& element : part.children()) {
      const auto names_it = [&](const char* a) { return element.text_or(a, "") == name; };
      if (std::ranges::any_of(attributes, names_it)) return true;
    }
  }
  return false;
}

bool has_forces(const XmlElement& joint) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"stiffness", "damping", "frictionloss", "armature"},
      [&](const char* force) { return joint.has(force) && !joint.numbers(force).isZero(0.0); });
}

bool starts_from(const XmlElement& root, const std::string& keyframe) {
  if (keyframe.empty()) return false;
  const auto key = find_key(root, keyframe);
  return key.has("qpos") || key.has("qvel");
}

}  // namespace

void warn_of_alignment(const XmlElement& root, const Tree& tree, const ImportOptions& options,
                       ImportLog& log) {
  const bool has_start = starts_from(root, options.keyframe);
  for (const auto& [joint, name, body] : tree.aligned) {
    const bool is_pulled =
        !options.no_actuators && is_named(root, "actuator", {"joint", "jointinparent"}, name);
    if (!has_start && !is_pulled && !has_forces(joint) &&
        !is_named(root, "equality", {"body1", "body2"}, body)) {
      continue;
    }
    log.warn(joint.where(),
             "free joint \"" + name +
                 "\" stays in its body's frame: keyframes, actuators, equalities and forces are "
                 "read in that, not in the inertial frame that align or alignfree asks for");
  }
}

}  // namespace hamiltree::mjcf
