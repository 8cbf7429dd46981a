#include <yaml-cpp/yaml.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <string>
#include <unordered_map>

#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"
#include "hamiltree/io/import/urdf/urdf_loops.hpp"

namespace hamiltree::urdf {
namespace {

class ClosedLoops {
 public:
  ClosedLoops(const std::string& file, const PosesAtZero& at_zero, Mechanism& mechanism,
              ImportLog& log)
      : file_(file),
        at_zero_(at_zero),
        mechanism_(mechanism),
        log_(log),
        bodies_(number_by_name(mechanism.bodies)),
        joints_(number_by_name(mechanism.joints)) {}

  void read(const YAML::Node& root) {
    change_types(root["joint_name"], root["joint_type"]);
    const YAML::Node pairs = root["closed_loop"];
    if (!pairs) return;
    if (!pairs.IsSequence()) fail(pairs, "closed_loop must be a list of pairs of names");
    const YAML::Node types = root["type"];
    for (std::size_t i = 0; i < pairs.size(); ++i) read_pair(pairs[i], types, i);
    for (const auto& entry : root) {
      const auto key = entry.first.as<std::string>();
      if (key == "closed_loop" || key == "type" || key == "joint_name" || key == "joint_type") {
        continue;
      }
      if (key == "name_mot") {
        log_.ignore("name_mot");
      } else {
        log_.warn({file_, line_of(entry.first)}, "key " + key + " is unknown and ignored");
      }
    }
  }

 private:
  static int line_of(const YAML::Node& node) { return std::max(0, node.Mark().line) + 1; }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& sentence) const {
    throw ModelError({file_, line_of(node)}, "closed_loop", sentence);
  }

  // Joints that are of another type than the file can say.
  void change_types(const YAML::Node& names, const YAML::Node& types) {
    if (!names || names.IsNull()) return;
    if (!names.IsSequence() || !types || !types.IsSequence() || types.size() != names.size()) {
      fail(names, "joint_name and joint_type must be lists of one length");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto name = names[i].as<std::string>();
      const auto joint = joints_.find(name);
      if (joint == joints_.end()) {
        log_.warn({file_, line_of(names[i])},
                  "joint_name \"" + name + "\" is not a joint of the file and ignored");
        continue;
      }
      change_type(types[i], mechanism_.joints[joint->second]);
    }
  }

  // The frames as the file has them, before they were turned to the axis. Springs, dampers and
  // stops of the old type go with it.
  void change_type(const YAML::Node& node, JointDescription& joint) {
    if (!has_one_freedom(joint)) fail(node, "joint \"" + joint.name + "\" has no axis");
    const Eigen::Matrix3d back = joint.at_child.rotation.transpose();
    joint.at_parent.rotation = joint.at_parent.rotation * back;
    joint.at_child.rotation = joint.at_child.rotation * back;
    const auto type = node.as<std::string>();
    if (type == "SPHERICAL") {
      joint.type = JointType::kSpherical;
    } else if (type == "FIXED") {
      joint.type = JointType::kFixed;
    } else if (type.starts_with("UJOINT_") && type.size() == 9 && type[7] != type[8] &&
               type.find_first_not_of("XYZ", 7) == type.npos) {
      joint.type = JointType::kUniversal;
      Eigen::Matrix3d axes;
      axes.col(0) = Eigen::Vector3d::Unit(type[7] - 'X');
      axes.col(1) = Eigen::Vector3d::Unit(type[8] - 'X');
      axes.col(2) = axes.col(0).cross(axes.col(1));
      joint.at_parent.rotation = joint.at_parent.rotation * axes;
      joint.at_child.rotation = joint.at_child.rotation * axes;
    } else {
      fail(node, "joint_type \"" + type +
                     "\" is not known; SPHERICAL, FIXED and UJOINT_ with two "
                     "different axes are, as in UJOINT_XY");
    }
    joint.guess_q.reset();
    std::erase_if(mechanism_.forces, [&](const ForceDescription& force) {
      return std::visit(
          [&](const auto& f) {
            if constexpr (requires { f.joint; }) return f.joint == joint.name;
            return false;
          },
          force);
    });
  }

  void read_pair(const YAML::Node& pair, const YAML::Node& types, std::size_t i) {
    if (!pair.IsSequence() || pair.size() != 2) fail(pair, "closed_loop must hold pairs of names");
    const std::string type =
        types && types.IsSequence() && i < types.size() ? types[i].as<std::string>() : "6d";
    JointDescription joint;
    joint.where = {file_, line_of(pair)};
    joint.name = "closed_loop_" + std::to_string(i + 1);
    if (type == "6d" || type == "6D") {
      joint.type = JointType::kFixed;
    } else if (type == "3d" || type == "3D") {
      joint.type = JointType::kSpherical;
    } else {
      fail(pair, "type \"" + type + "\" is neither 6d nor 3d");
    }
    joint.parent = link_of(pair[0]);
    joint.child = link_of(pair[1]);
    start_at_zero(at_zero_, joint);
    mechanism_.add(joint);
  }

  // A link, or the child of a joint: its frame is the joint's.
  std::string link_of(const YAML::Node& node) const {
    const auto name = node.as<std::string>();
    const auto joint = joints_.find(name);
    const bool is_joint = joint != joints_.end();
    const bool is_body = bodies_.contains(name);
    if (!is_joint && !is_body) fail(node, "\"" + name + "\" is neither a link nor a joint");
    if (is_body && (!is_joint || mechanism_.joints[joint->second].child == name)) return name;
    if (is_body) fail(node, "\"" + name + "\" is a link and also a joint, which have other frames");
    return mechanism_.joints[joint->second].child;
  }

  std::string file_;
  const PosesAtZero& at_zero_;
  Mechanism& mechanism_;
  ImportLog& log_;
  std::unordered_map<std::string, std::size_t> bodies_, joints_;  // before any loop is added
};

}  // namespace

void read_closed_loops(const std::filesystem::path& yaml, const PosesAtZero& at_zero,
                       Mechanism& mechanism, ImportLog& log) {
  try {
    const YAML::Node root = YAML::Load(read_text(yaml));
    if (root.IsMap()) ClosedLoops(yaml.string(), at_zero, mechanism, log).read(root);
  } catch (const YAML::Exception& error) {
    throw ModelError({yaml.string(), std::max(0, error.mark.line) + 1}, "",
                     "YAML error: " + error.msg);
  }
}

}  // namespace hamiltree::urdf
