#include "hamiltree/io/export/model/urdf_writer.hpp"

#include <algorithm>
#include <numbers>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/io/export/model/lifted.hpp"
#include "hamiltree/io/export/model/written_tree.hpp"
#include "hamiltree/io/export/model/xml_text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/urdf/urdf.hpp"

namespace hamiltree {
namespace {

using xml_text::set;

class UrdfWriter {
 public:
  explicit UrdfWriter(const Mechanism& mechanism)
      : mechanism_(lifted(mechanism)),
        tree_(written_tree(mechanism_)),
        is_one_tree_(std::ranges::count(tree_.joints, kGround, &JointDescription::parent) == 1) {}

  std::string text() {
    refuse_what_has_no_place();
    robot_ = document_.append_child("robot");
    set(robot_, "name", mechanism_.name);
    const Eigen::Vector3d usual(0.0, 0.0, -kUsualGravity);
    if (mechanism_.gravity != usual) {
      const std::string note =
          " gravity was " + listed_numbers(mechanism_.gravity) + " m/s^2, URDF says none ";
      robot_.append_child(pugi::node_comment).set_value(note.c_str());
    }
    frames_[kGround] = {};
    if (std::ranges::any_of(tree_.joints, [&](const auto& joint) {
          return joint.parent == kGround && !is_root(joint);
        })) {
      set(robot_.append_child("link"), "name", std::string("world"));
    }
    for (const auto& joint : tree_.joints) {
      frames_[joint.child] = joint.at_child;
      write_link(joint.child);
    }
    for (const auto& joint : tree_.joints) write_joint(joint);
    return xml_text::text_of(document_);
  }

 private:
  // Whether its body has no joint in URDF, in which one link has none. Of several free bodies each
  // has one to the world.
  bool is_root(const JointDescription& joint) const {
    return is_one_tree_ && joint.parent == kGround && joint.type == JointType::kFree;
  }
  static std::string link_name(const std::string& body) { return body == kGround ? "world" : body; }

  void refuse_what_has_no_place() {
    refuse_bodies_called_world(mechanism_, "URDF");
    for (const auto& cut : tree_.cuts) {
      refuse_to_write("joint", cut.name, cut.where, "closes a loop, which URDF cannot say");
    }
    for (const auto& force : tree_.others) {
      std::visit([&](const auto& f) { take(f); }, force);
    }
  }
  // A damper in all directions of a joint, as importers make it, goes by the joint's name.
  void take(const Bushing& f) {
    const auto joint = std::ranges::find(tree_.joints, f.name, &JointDescription::name);
    const double damping = f.rotational_damping.x();
    const Eigen::Vector3d all = Eigen::Vector3d::Constant(damping);
    const bool even = f.rotational_damping == all && f.rotational_stiffness.isZero(0.0) &&
                      f.translational_stiffness.isZero(0.0) && f.angle_stiffness == 0.0 &&
                      f.turn_stiffness.isZero(0.0);
    const bool fits =
        joint != tree_.joints.end() && even && acts_in(f, *joint) &&
        (joint->type == JointType::kSpherical || joint->type == JointType::kUniversal ||
         (joint->type == JointType::kPlanar && f.translational_damping == all));
    if (!fits) {
      refuse_to_write("force", f.name, f.where, "a bushing cannot be written as URDF");
    }
    tree_.forces[joint->name].damping += damping;
  }
  template <class Other>
  void take(const Other& f) {
    if constexpr (requires { f.name; }) {
      refuse_to_write("force", f.name, f.where, "cannot be written as URDF");
    }
  }

  void write_pose(pugi::xml_node parent, const Frame& X) {
    auto origin = parent.append_child("origin");
    set(origin, "xyz", Eigen::VectorXd(X.position));
    set(origin, "rpy", Eigen::VectorXd(to_rpy(X.rotation)));
  }

  void write_link(const std::string& name) {
    const auto& body = *std::ranges::find(mechanism_.bodies, name, &BodyDescription::name);
    auto link = robot_.append_child("link");
    set(link, "name", name);
    const Frame X = inverse(frames_.at(name));
    auto inertial = link.append_child("inertial");
    write_pose(inertial, {apply(X, body.com), Eigen::Matrix3d::Identity()});
    set(inertial.append_child("mass"), "value", body.mass);
    const Eigen::Matrix3d J = X.rotation * body.inertia * X.rotation.transpose();
    auto inertia = inertial.append_child("inertia");
    set(inertia, "ixx", J(0, 0));
    set(inertia, "ixy", J(0, 1));
    set(inertia, "ixz", J(0, 2));
    set(inertia, "iyy", J(1, 1));
    set(inertia, "iyz", J(1, 2));
    set(inertia, "izz", J(2, 2));
  }

  void write_joint(const JointDescription& joint) {
    if (is_root(joint)) {
      const auto forces = tree_.forces.find(joint.name);
      if (forces != tree_.forces.end() && forces->second.friction + forces->second.damping != 0.0)
        refuse_to_write("joint", joint.name, joint.where,
                        "friction of a body that floats cannot be written as URDF");
      return;
    }
    if (joint.armature > 0.0) {
      refuse_to_write("joint", joint.name, joint.where, "armature cannot be written as URDF");
    }
    const auto [element, type] = words_of(joint);
    const auto& forces = tree_.forces[joint.name];
    const bool stops = forces.lower && forces.upper;
    auto node = robot_.append_child(element);
    set(node, "name", joint.name);
    set(node, "type", std::string(joint.type == JointType::kRevolute && stops ? "revolute" : type));
    set(node.append_child("parent"), "link", link_name(joint.parent));
    set(node.append_child("child"), "link", link_name(joint.child));
    write_pose(node, compose(inverse(frames_.at(joint.parent)), joint.at_parent));
    set(node.append_child("axis"), "xyz", std::string("0 0 1"));
    if (joint.type == JointType::kHelical) {
      set(node.append_child("drake:screw_thread_pitch"), "value",
          joint.pitch * 2.0 * std::numbers::pi);
    }
    write_forces(joint, forces, node);
    for (const auto& coupling : mechanism_.couplings) {
      if (coupling.joint != joint.name) continue;
      if (node.child("mimic"))
        refuse_to_write("coupling", coupling.name, coupling.where,
                        "joint \"" + joint.name +
                            "\" follows another joint already, and in URDF a joint follows one");
      if (!coupling.higher.empty())
        refuse_to_write("coupling", coupling.name, coupling.where,
                        "is curved, which URDF cannot say");
      auto mimic = node.append_child("mimic");
      set(mimic, "joint", coupling.to);
      set(mimic, "multiplier", coupling.ratio);
      set(mimic, "offset", coupling.offset);
    }
  }

  void write_forces(const JointDescription& joint, const WrittenForces& forces,
                    pugi::xml_node node) {
    if (forces.damping != 0.0 || forces.friction != 0.0) {
      auto dynamics = node.append_child("dynamics");
      set(dynamics, "damping", forces.damping);
      if (forces.friction != 0.0) set(dynamics, "friction", forces.friction);
    }
    if (forces.lower.has_value() != forces.upper.has_value())
      refuse_to_write("joint", joint.name, joint.where, "a single stop cannot be written as URDF");
    if (forces.lower || joint.type == JointType::kPrismatic) {
      auto limit = node.append_child("limit");
      set(limit, "lower", forces.lower.value_or(-10.0 * kNoLimit));
      set(limit, "upper", forces.upper.value_or(10.0 * kNoLimit));
      set(limit, "effort", 10.0 * kNoLimit);
      set(limit, "velocity", 10.0 * kNoLimit);
    }
    if (forces.stiffness > 0.0) {
      auto element = robot_.append_child("force_element");
      set(element, "name", joint.name + "_spring");
      auto spring = element.append_child("torsional_spring");
      set(spring, "stiffness", forces.stiffness);
      set(spring, "rest_angle", forces.rest);
      set(spring.append_child("joint"), "name", joint.name);
    }
  }

  static std::pair<const char*, const char*> words_of(const JointDescription& joint) {
    switch (joint.type) {
      case JointType::kRevolute:
        return {"joint", "continuous"};
      case JointType::kPrismatic:
        return {"joint", "prismatic"};
      case JointType::kFixed:
        return {"joint", "fixed"};
      case JointType::kPlanar:
        return {"joint", "planar"};
      case JointType::kFree:
        return {"joint", "floating"};
      case JointType::kHelical:
        return {"drake:joint", "screw"};
      case JointType::kSpherical:
        return {"drake:joint", "ball"};
      case JointType::kUniversal:
        return {"drake:joint", "universal"};
      default:
        refuse_to_write(
            "joint", joint.name, joint.where,
            std::string("a ") + to_name(joint.type) + " joint cannot be written as URDF");
    }
  }

  Mechanism mechanism_;
  WrittenTree tree_;
  bool is_one_tree_;
  std::map<std::string, Frame> frames_;  // of the links, in the bodies
  pugi::xml_document document_;
  pugi::xml_node robot_;
};

}  // namespace

std::string to_urdf(const Mechanism& mechanism) { return UrdfWriter(mechanism).text(); }

}  // namespace hamiltree
