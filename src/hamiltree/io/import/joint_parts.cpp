#include "hamiltree/io/import/joint_parts.hpp"

#include <algorithm>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {

void align(JointDescription& joint, const Eigen::Vector3d& unit_axis) {
  const Eigen::Matrix3d R = turn_z_to(unit_axis);
  joint.at_parent.rotation = joint.at_parent.rotation * R;
  joint.at_child.rotation = joint.at_child.rotation * R;
}

bool is_endless(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text == "inf" || text == "infinity";
}

bool has_one_freedom(const JointDescription& joint) {
  return joint_size(joint.type, SpaceKind::kSpatial).velocities == 1;
}

bool can_mimic(const JointDescription& joint, const SourceLocation& mimic, ImportLog& log) {
  if (has_one_freedom(joint)) return true;
  log.warn(mimic, "joint \"" + joint.name + "\" cannot mimic another, it is " +
                      to_name(joint.type) + "; ignored");
  return false;
}

namespace {

// At the joint's place in the file; forces keep none when they are written as native text.
void refuse_negative(double value, const char* what, const JointDescription& joint) {
  check_not_negative(value, what, joint.where, titled("joint", joint.name));
}

// The bushing that goes by the joint's name and sits in its frames; for a free joint, where the
// body starts.
Bushing& bushing_of(Mechanism& mechanism, const JointDescription& joint) {
  for (auto& force : mechanism.forces) {
    auto* bushing = std::get_if<Bushing>(&force);
    if (bushing != nullptr && bushing->name == joint.name) return *bushing;
  }
  Bushing bushing;
  bushing.name = joint.name;
  bushing.body_a = joint.parent;
  bushing.body_b = joint.child;
  bushing.at_a = joint.at_parent;
  bushing.at_b = joint.at_child;
  if (joint.type == JointType::kFree && joint.guess_q) {
    bushing.at_a = {joint.guess_q->head<3>(), from_quat_wxyz(joint.guess_q->tail<4>())};
  }
  bushing.where = joint.where;
  mechanism.add(bushing);
  return std::get<Bushing>(mechanism.forces.back());
}

}  // namespace

void add_damping(Mechanism& mechanism, const JointDescription& joint, double damping) {
  refuse_negative(damping, "damping", joint);
  if (damping == 0.0 || joint.type == JointType::kFixed) return;
  if (has_one_freedom(joint)) {
    mechanism.add(JointSpringDamper{joint.name, 0.0, 0.0, damping, joint.where});
    return;
  }
  const Eigen::Vector3d all = Eigen::Vector3d::Constant(damping);
  add_damping(mechanism, joint, all, all);
}

void add_damping(Mechanism& mechanism, const JointDescription& joint,
                 const Eigen::Vector3d& translational, const Eigen::Vector3d& rotational) {
  refuse_negative(std::min(translational.minCoeff(), rotational.minCoeff()), "damping", joint);
  if (translational.isZero(0.0) && rotational.isZero(0.0)) return;
  auto& bushing = bushing_of(mechanism, joint);
  bushing.translational_damping = translational;
  bushing.rotational_damping = rotational;
}

void add_friction(Mechanism& mechanism, const JointDescription& joint, double coulomb) {
  refuse_negative(coulomb, "friction", joint);
  if (coulomb == 0.0 || !(has_one_freedom(joint) || JointFriction::takes(joint.type))) return;
  mechanism.add(JointFriction{joint.name, coulomb, 0.0, kFrictionVelocity, joint.where});
}

void add_spring(Mechanism& mechanism, const JointDescription& joint, double stiffness,
                double rest) {
  refuse_negative(stiffness, "stiffness", joint);
  if (stiffness == 0.0) return;
  if (has_one_freedom(joint)) {
    mechanism.add(JointSpringDamper{joint.name, stiffness, rest, 0.0, joint.where});
    return;
  }
  auto& bushing = bushing_of(mechanism, joint);
  bushing.angle_stiffness = stiffness;
  if (joint.type == JointType::kFree) bushing.translational_stiffness.setConstant(stiffness);
}

void add_stops(Mechanism& mechanism, const JointDescription& joint, std::optional<double> lower,
               std::optional<double> upper) {
  if (!lower && !upper) return;
  JointLimits stops;
  stops.joint = joint.name;
  stops.lower = lower;
  stops.upper = upper;
  stops.where = joint.where;
  // Where the file has two, each end that comes first.
  for (auto& force : mechanism.forces) {
    auto* other = std::get_if<JointLimits>(&force);
    if (other == nullptr || other->joint != joint.name) continue;
    if (lower) other->lower = std::max(*lower, other->lower.value_or(*lower));
    if (upper) other->upper = std::min(*upper, other->upper.value_or(*upper));
    stops = *other;
    mechanism.forces.erase(mechanism.forces.begin() + (&force - mechanism.forces.data()));
    break;
  }
  if (stops.lower && stops.upper && !(*stops.lower < *stops.upper)) {
    refuse(joint.where, titled("joint", joint.name), "its stops leave no way between them");
  }
  stops.transition.reset();
  if (!stops.lower != !stops.upper && has_one_freedom(joint)) stops.transition = 1e-2;  // rad or m
  mechanism.add(stops);
}

}  // namespace hamiltree
