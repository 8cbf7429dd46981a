#include "hamiltree/io/import/mjcf/cable.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <unordered_map>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/geom_shape.hpp"

namespace hamiltree::mjcf {
namespace {

using Eigen::Vector3d;

constexpr const char* kCable = "mujoco.elasticity.cable";

// Torsion constant and second moments of area of a section across x, m^4.
struct Section {
  double torsion = 0.0, about_y = 0.0, about_z = 0.0;
};

Section section_of(const XmlElement& geom, const Compiler& compiler) {
  const std::string type = type_of_geom(geom);
  if (type == "capsule" || type == "cylinder") {
    const double fourth = std::pow(read_shape(geom, type, compiler).size.x(), 4);
    return {std::numbers::pi * fourth / 2.0, std::numbers::pi * fourth / 4.0,
            std::numbers::pi * fourth / 4.0};
  }
  if (type != "box") return {};
  const Vector3d half = read_shape(geom, type, compiler).size;
  const double h = half.y(), w = half.z(), a = std::max(h, w), b = std::min(h, w), c = b / a;
  return {a * std::pow(b, 3) * (16.0 / 3.0 - 3.36 * c * (1.0 - std::pow(c, 4) / 12.0)),
          4.0 / 3.0 * std::pow(w, 3) * h, 4.0 / 3.0 * std::pow(h, 3) * w};
}

class CableReader {
 public:
  CableReader(const XmlElement& root, const Settings& settings, const Tree& tree,
              Mechanism& mechanism, ImportLog& log)
      : root_(root), settings_(settings), tree_(tree), mechanism_(mechanism), log_(log) {
    for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
      joint_to_.emplace(mechanism.joints[i].child, i);
    }
  }

  void read() {
    for (const auto& world : root_.children("worldbody")) read_below(world, {});
    if (count_ == 0) return;
    log_.note("moments bend and twist " + std::to_string(count_) + " joints of cables back (" +
              kCable +
              "); where the two differ they have no potential, and their work is that of "
              "motors");
  }

 private:
  struct Carrier {
    std::string body, instance;  // the instance of its plugin, empty without one
  };

  // All bodies below an element, which is one or a frame in it, of the carrier.
  void read_below(const XmlElement& element, const Carrier& carrier) {
    for (const auto& child : element.children()) {
      if (child.name() == "frame") {
        read_below(child, carrier);
      } else if (child.name() == "body") {
        const auto plugin = cable_of(child);
        const Carrier own{body_name(child.text_or("name", "")),
                          plugin ? plugin->text_or("instance", "") : ""};
        if (!own.instance.empty() && own.instance == carrier.instance) {
          add_spring(child, *plugin, carrier.body, own.body);
        }
        read_below(child, own);
      }
    }
  }

  std::optional<XmlElement> cable_of(const XmlElement& body) {
    for (const auto& plugin : body.children("plugin")) {
      const std::string name = plugin.text_or("plugin", "");
      if (name == kCable || instance(plugin)) return plugin;
      log_.warn(plugin.where(), "the forces of plugin \"" +
                                    (name.empty() ? plugin.text_or("instance", "") : name) +
                                    "\" are not simulated");
    }
    return std::nullopt;
  }

  // The <instance> of a cable under <extension> that a body's plugin names.
  std::optional<XmlElement> instance(const XmlElement& plugin) const {
    const std::string name = plugin.text_or("instance", "");
    for (const auto& extension : root_.children("extension")) {
      for (const auto& known : extension.children("plugin")) {
        if (known.text_or("plugin", "") != kCable) continue;
        for (const auto& one : known.children("instance")) {
          if (one.text_or("name", "") == name) return one;
        }
      }
    }
    return std::nullopt;
  }

  std::string setting(const XmlElement& plugin, const std::string& key) const {
    const XmlElement place = instance(plugin).value_or(plugin);
    for (const auto& config : place.children("config")) {
      if (config.text("key") == key) return config.text("value");
    }
    return "";
  }

  double modulus(const XmlElement& plugin, const std::string& key) const {
    const std::string text = setting(plugin, key);
    const auto value = text.empty() ? 0.0 : parse_number(text);
    if (!value || !(*value >= 0.0)) {
      plugin.fail(key + " must be a number not below 0, it is \"" + text + "\"");
    }
    return *value;
  }

  void add_spring(const XmlElement& element, const XmlElement& plugin, const std::string& carrier,
                  const std::string& body) {
    const auto& joint = ball_between(plugin, carrier, body);
    const Frame between = compose(inverse(tree_.at_start.at(carrier)), tree_.at_start.at(body));
    const auto geom = element.child("geom");
    const Section section = geom ? section_of(*geom, settings_.compiler) : Section{};
    const double G = modulus(plugin, "twist"), E = modulus(plugin, "bend");
    const Vector3d stiffness =
        Vector3d(G * section.torsion, E * section.about_y, E * section.about_z) /
        between.position.norm();
    if (stiffness.isZero(0.0)) return;
    Bushing spring;
    spring.where = plugin.where();
    spring.name = joint.name + "_elastic";
    spring.body_a = carrier;
    spring.body_b = body;
    spring.at_a.position = joint.at_parent.position;
    spring.at_b.position = joint.at_child.position;
    const Eigen::AngleAxisd turned(between.rotation);
    if (setting(plugin, "flat") != "true") spring.rest_turn = turned.angle() * turned.axis();
    if (spring.rest_turn.isZero(0.0) && stiffness.isConstant(stiffness.x(), 0.0)) {
      spring.angle_stiffness = stiffness.x();
    } else {
      spring.turn_stiffness = stiffness;
    }
    mechanism_.add(spring);
    ++count_;
  }

  const JointDescription& ball_between(const XmlElement& plugin, const std::string& carrier,
                                       const std::string& body) const {
    const auto& joint = mechanism_.joints[joint_to_.at(body)];
    if (joint.parent != carrier || joint.type != JointType::kSpherical) {
      plugin.fail(std::string(kCable) + " bends ball joints only, and there is none from body \"" +
                  carrier + "\" to body \"" + body + "\"");
    }
    return joint;
  }

  XmlElement root_;
  const Settings& settings_;
  const Tree& tree_;
  Mechanism& mechanism_;
  ImportLog& log_;
  std::unordered_map<std::string, std::size_t> joint_to_;  // the last joint of each body
  int count_ = 0;
};

}  // namespace

void add_cables(const XmlElement& root, const Settings& settings, const Tree& tree,
                Mechanism& mechanism, ImportLog& log) {
  if (settings.disabled.contains("passive")) return;
  CableReader(root, settings, tree, mechanism, log).read();
}

}  // namespace hamiltree::mjcf
