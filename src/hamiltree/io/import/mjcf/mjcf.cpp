#include "hamiltree/io/import/mjcf/mjcf.hpp"

#include "hamiltree/io/import/mjcf/actuator.hpp"
#include "hamiltree/io/import/mjcf/alignment.hpp"
#include "hamiltree/io/import/mjcf/attach.hpp"
#include "hamiltree/io/import/mjcf/cable.hpp"
#include "hamiltree/io/import/mjcf/equality.hpp"
#include "hamiltree/io/import/mjcf/keyframe.hpp"
#include "hamiltree/io/import/mjcf/medium.hpp"
#include "hamiltree/io/import/mjcf/spring_damper.hpp"
#include "hamiltree/io/import/mjcf/tendon.hpp"
#include "hamiltree/io/import/mjcf/words.hpp"

namespace hamiltree {
namespace mjcf {
namespace {

std::set<std::string> read_disabled(const XmlElement& root) {
  std::set<std::string> disabled;
  for (const auto& option : root.children("option")) {
    for (const auto& flag : option.children("flag")) {
      for (const char* name : {"gravity", "limit", "equality", "frictionloss", "passive", "spring",
                               "damper", "actuation", "clampctrl", "constraint"}) {
        const std::string value = flag.text_or(name, "");
        if (value == "disable") disabled.insert(name);
        if (value == "enable") disabled.erase(name);
      }
    }
  }
  // Springs and dampers, in the words of older versions.
  if (disabled.contains("passive")) disabled.insert({"spring", "damper"});
  // Without both, MuJoCo leaves out all that is passive.
  if (disabled.contains("spring") && disabled.contains("damper")) disabled.insert("passive");
  if (disabled.contains("constraint")) disabled.insert({"equality", "limit", "frictionloss"});
  return disabled;
}

void read_gravity(const XmlElement& root, Mechanism& mechanism) {
  mechanism.gravity = {0.0, 0.0, -9.81};
  for (const auto& option : root.children("option"))
    mechanism.gravity = option.vector_or("gravity", mechanism.gravity);
}

// Of a range that is limited only because it is given, MuJoCo takes no notice where it descends.
void warn_of_descending_ranges(const XmlElement& element, ImportLog& log) {
  for (const std::string of : {"", "ctrl", "force", "act", "actuatorfrc"}) {
    const std::string what = of + "range";
    if (!element.has(what) || element.text_or(of + "limited", "auto") != "auto") continue;
    const Eigen::VectorXd range = element.numbers(what);
    if (range.size() == 2 && !range.isZero(0.0) && !(range(0) < range(1))) {
      log.warn(element.where(),
               what + " of <" + element.name() + "> does not ascend, so it is no limit");
    }
  }
  for (const auto& child : element.children()) warn_of_descending_ranges(child, log);
}

void refuse_flexes(const XmlElement& root) {
  for (const auto& section : root.children("deformable")) {
    for (const auto& flex : section.children("flex"))
      flex.fail("is flexible, and only rigid bodies are simulated");
  }
}

}  // namespace
}  // namespace mjcf

Mechanism read_mjcf(XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log, ImportedLooks& looks) {
  using namespace mjcf;
  expand(document, file, options, log);
  const auto root = document.root();
  check_vocabulary(root, words(), log);
  Mechanism mechanism;
  mechanism.name = root.text_or("model", file.stem().string());
  mechanism.where = root.where();
  read_gravity(root, mechanism);
  for (const char* part : {"default", "worldbody", "tendon", "actuator"}) {
    for (const auto& section : root.children(part)) warn_of_descending_ranges(section, log);
  }
  const Settings settings{read_compiler(root), Defaults(root), read_disabled(root)};
  if (settings.disabled.contains("gravity")) mechanism.gravity.setZero();
  Meshes meshes(root, settings.defaults, file, options);
  GeomLooks geom_looks(root, settings, meshes, looks);
  const Tree tree = read_tree(root, settings, meshes, geom_looks, mechanism, log);
  add_spring_dampers(settings, tree, mechanism);
  add_drag(root, settings, tree, mechanism, log);
  add_cables(root, settings, tree, mechanism, log);
  refuse_flexes(root);
  const auto tendons = read_tendons(root, settings, tree, mechanism, log);
  meshes.note_overcounted(log);
  read_equalities(root, settings, tree, tendons, mechanism, log);
  read_actuators(root, settings, tree, tendons, options, mechanism, log);
  if (!options.keyframe.empty()) {
    start_from_keyframe(root, options.keyframe, tree, mechanism, log);
  }
  warn_of_alignment(root, tree, options, log);
  return mechanism;
}

}  // namespace hamiltree
