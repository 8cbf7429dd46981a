#include "hamiltree/io/import/sdf/sdf_joints.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/io/import/joint_parts.hpp"

namespace hamiltree::sdf {

std::string read_end(const XmlElement& joint, const char* child) {
  const bool of_drake = joint.name().starts_with("drake:");
  const std::string prefixed = std::string("drake:") + child;
  const auto element =
      of_drake && joint.child(prefixed) ? *joint.child(prefixed) : joint.required_child(child);
  // Before 1.2 the name was an attribute.
  const std::string name = element.text_or("link", element.content());
  if (name.empty()) element.fail("names no frame");
  return name;
}

Node& JointReader::end_frame(const Node& node, const char* child) {
  const auto& element = *node.element;
  return graph_.find(*node.scope, read_end(element, child), child, element);
}

// The joint's frame is fixed in both bodies where the file places it: they meet there at q = 0.
JointDescription JointReader::between(const Node& node) {
  const auto& element = *node.element;
  Node& parent = end_frame(node, "parent");
  Node& child = end_frame(node, "child");
  JointDescription joint;
  joint.where = element.where();
  joint.name = node.name;
  joint.parent = parent.body;
  joint.child = child.body;
  if (joint.child == kGround) element.fail("the child must be a link that can move");
  if (joint.parent == joint.child) {
    element.fail("parent and child are fixed in the same link, \"" + joint.parent + "\"");
  }
  return joint;
}

namespace {

// A frame of the world, seen from the link that it is fixed in.
Frame seen_from(FrameGraph& graph, const std::string& body, const Frame& X_W) {
  return body == kGround ? X_W : compose(inverse(graph.link(body).X_W), X_W);
}

// The joint of the mechanism that moves about <axis>, or about <axis2> of two pins in series.
std::string joint_of_axis(const std::string& joint, const std::string& axis) {
  return axis == "axis2" ? joint + "_axis2" : joint;
}

}  // namespace

// In the joint's frame, made unit.
Eigen::Vector3d JointReader::axis(const Node& node, const XmlElement& element) {
  const auto xyz = element.child("xyz");
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d R_WE = node.X_W.rotation;
  if (xyz) {
    axis = xyz->content_numbers(3);
    if (axis.isZero(0.0)) xyz->fail("has no direction, it is zero");
    const std::string expressed_in = xyz->text_or("expressed_in", "");
    if (!expressed_in.empty()) {
      R_WE = graph_.find(*node.scope, expressed_in, "expressed_in", *xyz).X_W.rotation;
    }
  }
  // Up to 1.4 in the model's axes, from 1.5 to 1.6 if asked for.
  constexpr int kJointFrame = 5;
  if (read_flag(element, "use_parent_model_frame", version_.minor < kJointFrame)) {
    R_WE = node.scope->frame->X_W.rotation;
  }
  return node.X_W.rotation.transpose() * R_WE * axis.stableNormalized();
}

void JointReader::read(Node& node) {
  const auto& element = *node.element;
  const std::string type = element.text("type");
  JointDescription joint = between(node);
  if (element.name() == "drake:joint") {
    read_of_drake(node, joint);
    return;
  }
  joint.at_parent = seen_from(graph_, joint.parent, node.X_W);
  joint.at_child = seen_from(graph_, joint.child, node.X_W);
  if (type == "gearbox") return;  // ties other joints
  if (type == "universal" || type == "revolute2") {
    add_in_series(node, joint);
    return;
  }
  if (type == "revolute" || type == "continuous") {
    joint.type = JointType::kRevolute;
  } else if (type == "prismatic") {
    joint.type = JointType::kPrismatic;
  } else if (type == "screw") {
    joint.type = JointType::kHelical;
    joint.pitch = read_pitch(element, version_);
  } else if (type == "ball") {
    joint.type = JointType::kSpherical;
  } else if (type == "fixed") {
    joint.type = JointType::kFixed;
  } else {
    element.fail_unknown("type", type,
                         {"revolute", "continuous", "prismatic", "screw", "ball", "fixed",
                          "universal", "revolute2", "gearbox"});
  }
  const auto first = element.child("axis");
  if (has_one_freedom(joint)) {
    if (!first) element.fail("<axis> is missing");
    align(joint, axis(node, *first));
  }
  if (first && joint.type != JointType::kFixed) {
    read_axis_forces(*first, joint, type != "continuous", mechanism_, log_);
  }
  if (has_one_freedom(joint) && !joint.drive) {
    // A rotor of Drake.
    const double ratio = read_number(element, "drake:gear_ratio", 1.0);
    joint.armature = read_number(element, "drake:rotor_inertia", 0.0) * ratio * ratio;
  }
  mechanism_.add(joint);
}

// Two pins with a link between them that weighs nothing: about <axis>, which is fixed in the
// parent, then about <axis2>, fixed in the child.
void JointReader::add_in_series(const Node& node, JointDescription joint) {
  const auto& element = *node.element;
  const auto first = element.required_child("axis"), second = element.required_child("axis2");
  BodyDescription between;
  between.where = joint.where;
  between.name = joint.name;
  mechanism_.add(between);
  JointDescription other = joint;
  joint.type = other.type = JointType::kRevolute;
  joint.child = other.parent = between.name;
  joint.at_child = other.at_parent = Frame{};
  other.name = joint_of_axis(joint.name, "axis2");
  align(joint, axis(node, first));
  align(other, axis(node, second));
  read_axis_forces(first, joint, true, mechanism_, log_);
  read_axis_forces(second, other, true, mechanism_, log_);
  mechanism_.add(joint);
  mechanism_.add(other);
}

// The frames of a Drake joint are its parent and child themselves, which meet at q = 0.
void JointReader::read_of_drake(const Node& node, JointDescription joint) {
  const auto& element = *node.element;
  const std::string type = element.text("type");
  if (type != "planar") {
    element.fail("a drake:joint of type \"" + type + "\" cannot be simulated");
  }
  joint.type = JointType::kPlanar;
  joint.at_parent = seen_from(graph_, joint.parent, end_frame(node, "parent").X_W);
  joint.at_child = seen_from(graph_, joint.child, end_frame(node, "child").X_W);
  if (const auto damping = element.child("drake:damping")) {
    const Eigen::VectorXd d = damping->content_numbers(3);
    add_damping(mechanism_, joint, {d(0), d(1), 0.0}, {0.0, 0.0, d(2)});
  }
  mechanism_.add(joint);
}

void JointReader::read_weld(const XmlElement& element, const Scope& scope) {
  JointDescription joint;
  joint.where = element.where();
  joint.name = scope.prefix + "weld_constraint_" + std::to_string(mechanism_.joints.size());
  joint.type = JointType::kFixed;
  const auto& parent = graph_.find(scope, read_end(element, "parent"), "parent", element);
  const auto& child = graph_.find(scope, read_end(element, "child"), "child", element);
  joint.parent = parent.body;
  joint.child = child.body;
  if (joint.parent == joint.child) element.fail("welds a link to itself");
  joint.at_parent = seen_from(graph_, joint.parent, parent.X_W);
  joint.at_child = seen_from(graph_, joint.child, child.X_W);
  if (joint.child == kGround) reverse(joint);
  mechanism_.add(joint);
}

JointDescription* JointReader::turning_joint(const std::string& one, const std::string& other) {
  const auto found = std::ranges::find_if(mechanism_.joints, [&](const JointDescription& joint) {
    return joint.type == JointType::kRevolute && joint.parent == one && joint.child == other;
  });
  return found == mechanism_.joints.end() ? nullptr : &*found;
}

// theta_2 = -ratio theta_1: the angles of child and parent from the reference body, about axis2 and
// axis.
void JointReader::read_gearbox(const Node& node) {
  const auto& element = *node.element;
  const std::string reference =
      graph_
          .find(*node.scope, element.required_child("gearbox_reference_body").content(),
                "gearbox_reference_body", element)
          .body;
  const auto* first = turning_joint(reference, end_frame(node, "parent").body);
  const auto* second = turning_joint(reference, end_frame(node, "child").body);
  if (first == nullptr || second == nullptr) {
    element.fail("needs a revolute joint from its reference body to its parent and to its child");
  }
  // Whether a joint turns in the direction of the gearbox's axis, or against it.
  const auto sense = [&](const JointDescription& joint, const char* name) {
    const auto own = element.child(name);
    if (!own) return 1.0;
    const Eigen::Vector3d wanted = node.X_W.rotation * axis(node, *own);
    const Frame at_parent = joint.at_parent;
    const Eigen::Matrix3d R_WP = joint.parent == kGround
                                     ? Eigen::Matrix3d(Eigen::Matrix3d::Identity())
                                     : graph_.link(joint.parent).X_W.rotation;
    const double along = wanted.dot((R_WP * at_parent.rotation).col(2));
    if (std::abs(along) < 0.5) {
      log_.warn(own->where(), "the axis of the gearbox is not that of joint \"" + joint.name +
                                  "\"; the joint's is taken");
      return 1.0;
    }
    return along > 0.0 ? 1.0 : -1.0;
  };
  const double ratio = read_number(element, "gearbox_ratio", 1.0);
  if (ratio == 0.0) element.fail("gearbox_ratio must not be 0");
  mechanism_.add(Coupling{node.name, second->name, first->name,
                          -ratio * sense(*first, "axis") * sense(*second, "axis2"), 0.0,
                          element.where()});
}

// q = multiplier (q_leader - reference) + offset, of the axes of two joints.
void JointReader::read_mimics(const Node& node) {
  for (const char* name : {"axis", "axis2"}) {
    const auto own = node.element->child(name);
    const auto mimic = own ? own->child("mimic") : std::nullopt;
    if (!mimic) continue;
    const double multiplier = read_number(*mimic, "multiplier", 1.0);
    if (multiplier == 0.0) mimic->fail("multiplier is 0; write the joint as fixed");
    const std::string axis = mimic->text_or("axis", "axis");
    if (axis != "axis" && axis != "axis2")
      mimic->fail("axis must be \"axis\" or \"axis2\", not \"" + axis + "\"");
    const std::string follower = joint_of_axis(node.name, name);
    const auto joint = std::ranges::find(mechanism_.joints, follower, &JointDescription::name);
    if (joint != mechanism_.joints.end() && !can_mimic(*joint, mimic->where(), log_)) continue;
    const std::string leader = joint_of_axis(node.scope->prefix + mimic->text("joint"), axis);
    mechanism_.add(Coupling{
        follower, follower, leader, multiplier,
        read_number(*mimic, "offset", 0.0) - multiplier * read_number(*mimic, "reference", 0.0),
        mimic->where()});
  }
}

}  // namespace hamiltree::sdf
