#include "hamiltree/io/import/mjcf/mjcf_joint.hpp"

#include <numbers>
#include <optional>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mjcf/actuator_spec.hpp"
#include "hamiltree/io/import/mjcf/coefficient.hpp"

namespace hamiltree::mjcf {
namespace {

JointType read_type(const XmlElement& element) {
  if (element.name() == "freejoint") return JointType::kFree;
  const std::string type = element.text_or("type", "hinge");
  if (type == "hinge") return JointType::kRevolute;
  if (type == "slide") return JointType::kPrismatic;
  if (type == "ball") return JointType::kSpherical;
  if (type == "free") return JointType::kFree;
  element.fail("type must be hinge, slide, ball or free, not \"" + type + "\"");
}

// The joint's own axis and `ref`, the coordinate at which the body is where its frame says.
void place_along_axis(const XmlElement& element, const Eigen::Matrix3d& R_frame, double reference,
                      JointDescription& joint) {
  const Eigen::Vector3d axis = element.vector_or("axis", Eigen::Vector3d::UnitZ());
  if (axis.isZero(0.0)) element.fail("axis has no direction, it is zero");
  align(joint, R_frame * axis.stableNormalized());
  Frame back;
  if (joint.type == JointType::kRevolute) {
    back.rotation = turn(Eigen::Vector3d::UnitZ(), -reference);
  } else {
    back.position.z() = -reference;
  }
  joint.at_parent = compose(joint.at_parent, back);
  if (reference != 0.0) joint.guess_q = Eigen::VectorXd::Constant(1, reference);
}

bool is_limited(const XmlElement& element, const Compiler& compiler) {
  Limit limit{element.text_or("limited", "auto"), {}};
  if (limit.limited != "true" && limit.limited != "false" && limit.limited != "auto") {
    element.fail("limited must be true, false or auto");
  }
  if (element.has("range")) limit.range = element.numbers("range", 2);
  return limit.holds(compiler);
}

void read_stops(const XmlElement& element, const Settings& settings, const JointDescription& joint,
                Mechanism& mechanism) {
  if (settings.disabled.contains("limit") || !is_limited(element, settings.compiler)) return;
  if (joint.type == JointType::kFree) return;
  const double unit = joint.type == JointType::kPrismatic ? 1.0 : settings.compiler.angle;
  const Eigen::VectorXd range = unit * element.numbers("range", 2);
  if (!(range(0) < range(1))) element.fail("the range must ascend");
  if (has_one_freedom(joint)) return add_stops(mechanism, joint, range(0), range(1));
  if (range(0) != 0.0) element.fail("the range of a ball joint must begin with 0");
  if (range(1) < std::numbers::pi) add_stops(mechanism, joint, std::nullopt, range(1));
}

void read_spring(const XmlElement& element, double unit, const JointDescription& joint,
                 Mechanism& mechanism) {
  add_spring(mechanism, joint, linear_coefficient(element, "stiffness"),
             unit * element.number_or("springref", 0.0));
}

}  // namespace

bool has_spring_damper(const XmlElement& element) {
  return element.has("springdamper") && !element.numbers("springdamper").isZero(0.0);
}

JointDescription read_joint(const XmlElement& element, const Between& between,
                            const Settings& settings, Mechanism& mechanism) {
  const Frame& X = between.X;
  JointDescription joint;
  joint.where = element.where();
  joint.name = between.name;
  joint.type = read_type(element);
  joint.parent = between.parent;
  joint.child = between.child;
  if (joint.type == JointType::kFree) {
    if (joint.parent != kGround) element.fail("only a body of the world can be free");
    const Eigen::Vector4d quat = to_quat_wxyz(X.rotation);
    Eigen::VectorXd q(7);
    q << X.position, quat;
    joint.guess_q = q;
  } else {
    const Eigen::Vector3d anchor = element.vector_or("pos", Eigen::Vector3d::Zero());
    joint.at_child.position = apply(between.X_frame, anchor);
    joint.at_parent = compose(X, joint.at_child);
  }
  const double unit = joint.type == JointType::kRevolute ? settings.compiler.angle : 1.0;
  if (has_one_freedom(joint)) {
    place_along_axis(element, between.X_frame.rotation, unit * element.number_or("ref", 0.0),
                     joint);
  }
  const bool is_against_world = joint.parent == kGround;
  if (has_one_freedom(joint) || (joint.type == JointType::kSpherical && !is_against_world))
    joint.armature = element.number_or("armature", 0.0);
  read_stops(element, settings, joint, mechanism);
  const bool is_by_inertia = has_spring_damper(element);
  if (!settings.disabled.contains("spring") && !is_by_inertia) {
    read_spring(element, unit, joint, mechanism);
  }
  if (!settings.disabled.contains("damper") && !is_by_inertia) {
    add_damping(mechanism, joint, linear_coefficient(element, "damping"));
  }
  const double friction = element.number_or("frictionloss", 0.0);
  if (!settings.disabled.contains("frictionloss")) add_friction(mechanism, joint, friction);
  return joint;
}

}  // namespace hamiltree::mjcf
