#include "hamiltree/io/import/mjcf/attached_model.hpp"

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"

namespace hamiltree::mjcf {
namespace {

// Sections of the head that elements cannot say for themselves.
void check_heads(const XmlElement& root, const Compiler& inner, const Compiler& outer) {
  const auto head = root.child("compiler");
  const auto refuse = [&](const char* attribute) {
    (head ? *head : root)
        .fail(std::string(attribute) + " is not that of the model that attaches this one");
  };
  if (inner.automatic_limits != outer.automatic_limits) refuse("autolimits");
  if (inner.balance_inertia != outer.balance_inertia) refuse("balanceinertia");
  if (inner.inertia_from_geoms != outer.inertia_from_geoms) refuse("inertiafromgeom");
  if (inner.first_group != outer.first_group || inner.last_group != outer.last_group) {
    refuse("inertiagrouprange");
  }
  if (inner.least_mass != outer.least_mass) refuse("boundmass");
  if (inner.least_inertia != outer.least_inertia) refuse("boundinertia");
  if (inner.total_mass > 0.0) refuse("settotalmass");
  if (inner.fits_box != outer.fits_box) refuse("fitaabb");
}

class Settler {
 public:
  Settler(XmlDocument& model, const std::filesystem::path& file, XmlDocument& outer,
          const std::string& prefix)
      : root_(model.root()),
        file_(file),
        outer_(outer),
        prefix_(prefix),
        defaults_(root_),
        inner_compiler_(read_compiler(root_)),
        outer_compiler_(read_compiler(outer.root())) {}

  void settle() {
    check_heads(root_, inner_compiler_, outer_compiler_);
    for (const auto& assets : root_.children("asset")) settle_assets(assets);
    for (const auto& world : root_.children("worldbody")) {
      settle_bodies(world, world.text_or("childclass", ""));
    }
    for (const char* name : {"tendon", "equality", "actuator"}) {
      for (const auto& section : root_.children(name)) {
        for (const auto& element : section.children()) settle_classed(element, "");
      }
    }
    move_defaults();
  }

 private:
  // Attributes of the class first, then the class itself by its new name.
  void settle_classed(const XmlElement& element, const std::string& childclass) {
    const bool is_actuator = element.node().parent().name() == std::string("actuator");
    if (!is_actuator) defaults_.complete(element, childclass);
    const std::string name =
        element.text_or("class", childclass.empty() ? std::string("main") : childclass);
    if (name != kNoDefaults) set_attribute(element, "class", prefix_ + name);
  }

  void settle_assets(const XmlElement& assets) {
    for (const auto& asset : assets.children()) {
      const bool has_class = asset.name() == "mesh" || asset.name() == "material";
      if (has_class) settle_classed(asset, "");
      if (asset.name() != "mesh" || !asset.has("file")) continue;
      const auto mesh = inner_compiler_.mesh_file(asset.text("file"));
      if (!asset.has("name")) set_attribute(asset, "name", mesh.stem().string());
      const auto path = std::filesystem::absolute(file_).parent_path() / mesh;
      set_attribute(asset, "file", path.string());
    }
  }

  void settle_bodies(const XmlElement& element, const std::string& childclass) {
    for (const auto& child : element.children()) {
      const std::string kind = child.name();
      const bool is_classed = kind == "joint" || kind == "geom" || kind == "site";
      if (is_classed) settle_classed(child, childclass);
      settle_orientation(child);
      if (kind == "joint") settle_joint(child);
      if (kind == "freejoint" && inner_compiler_.aligns_free && !child.has("align")) {
        set_attribute(child, "align", "true");
      }
      if (kind == "body" || kind == "frame") {
        settle_bodies(child, child.text_or("childclass", childclass));
        remove_attribute(child, "childclass");
      }
    }
  }

  void settle_orientation(const XmlElement& element) {
    if (element.has("quat")) return;
    for (const char* attribute : {"axisangle", "xyaxes", "zaxis", "euler"}) {
      if (!element.has(attribute)) continue;
      const Eigen::Matrix3d R = inner_compiler_.rotation(element);
      remove_attribute(element, attribute);
      set_numbers(element, "quat", to_quat_wxyz(R));
    }
  }

  void settle_joint(const XmlElement& joint) {
    const double unit = inner_compiler_.angle / outer_compiler_.angle;
    const std::string type = joint.text_or("type", "hinge");
    if (unit == 1.0 || (type != "hinge" && type != "ball")) return;
    for (const char* attribute : {"range", "ref", "springref"}) {
      if (!joint.has(attribute)) continue;
      set_numbers(joint, attribute, Eigen::VectorXd(unit * joint.numbers(attribute)));
    }
  }

  void rename_classes(const XmlElement& section) {
    set_attribute(section, "class", prefix_ + section.text_or("class", "main"));
    for (const auto& child : section.children("default")) rename_classes(child);
  }

  // Beside the outer model's own, so that they inherit nothing of it.
  void move_defaults() {
    auto sections = root_.children("default");
    if (sections.empty()) {
      outer_.append(outer_.root(), "default", "");
      set_attribute(outer_.root().children("default").back(), "class", prefix_ + "main");
    }
    for (const auto& section : sections) {
      rename_classes(section);
      outer_.append_copy(outer_.root(), section);
    }
  }

  XmlElement root_;
  std::filesystem::path file_;
  XmlDocument& outer_;
  std::string prefix_;
  Defaults defaults_;
  Compiler inner_compiler_, outer_compiler_;
};

}  // namespace

void settle_attached(XmlDocument& model, const std::filesystem::path& file, XmlDocument& outer,
                     const std::string& prefix, ImportLog& log) {
  if (model.root().child("option")) log.ignore("option of an attached model");
  Settler(model, file, outer, prefix).settle();
}

}  // namespace hamiltree::mjcf
