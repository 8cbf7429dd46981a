#include "hamiltree/model/validate_joint.hpp"

#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

void check_values(const std::optional<Eigen::VectorXd>& values, int expected,
                  const std::string& what, const JointDescription& joint,
                  const std::string& element) {
  if (!values) return;
  check_numbers(*values, what, joint.where, element);
  if (values->size() != expected) {
    refuse(joint.where, element,
           what + " of a " + to_name(joint.type) + " joint needs " + std::to_string(expected) +
               (expected == 1 ? " number" : " numbers") + ", has " + std::to_string(values->size()),
           what);
  }
}

// One coordinate more than velocities: the last four are a unit quaternion.
void check_quaternion(const std::optional<Eigen::VectorXd>& values, const JointSize& size,
                      const std::string& what, const JointDescription& joint,
                      const std::string& element) {
  if (!values || size.coordinates != size.velocities + 1) return;
  const double length = values->tail<4>().norm();
  if (!(std::abs(length - 1.0) <= 1e-6)) {
    refuse(joint.where, element,
           "the quaternion in " + what + " has length " + to_text(length) + ", not 1", what);
  }
}

void check_pitch(const JointDescription& joint, const std::string& element) {
  check_number(joint.pitch, "pitch", joint.where, element);
  const bool helical = joint.type == JointType::kHelical;
  if (helical && joint.pitch == 0.0) {
    refuse(joint.where, element, "pitch must not be 0; without it the joint is revolute", "pitch");
  }
  if (!helical && joint.pitch != 0.0) {
    refuse(joint.where, element, std::string("a ") + to_name(joint.type) + " joint has no pitch",
           "pitch");
  }
}

void check_armature(const JointDescription& joint, const JointSize& size,
                    const std::string& element) {
  check_not_negative(joint.armature, "armature", joint.where, element);
  if (joint.armature == 0.0) return;
  if (size.velocities != 1 && joint.type != JointType::kSpherical) {
    refuse(joint.where, element,
           std::string("armature needs a spherical joint or one with one degree of freedom, this "
                       "one is ") +
               to_name(joint.type),
           "armature");
  }
  if (joint.drive) {
    refuse(joint.where, element, "is driven and moves as it is told, so it takes no armature",
           "armature");
  }
}

void check_cut(const JointDescription& joint, const std::string& element) {
  if (joint.cut != true) return;
  if (joint.type == JointType::kFree) {
    refuse(joint.where, element, "cut = true, but a free joint has no constraint to close a loop",
           "cut");
  }
  if (joint.armature > 0.0) {
    refuse(joint.where, element, "cut = true, but it has armature, which no cut joint can have",
           "cut");
  }
}

void check_drive(const JointDescription& joint, const JointSize& size, const std::string& element) {
  if (size.velocities != 1) {
    refuse(joint.where, element,
           std::string("drive needs a joint with one degree of freedom, this one is ") +
               to_name(joint.type),
           "drive");
  }
  check_time_function(*joint.drive, "drive", joint.where, element);
  if (joint.initial_q || joint.initial_v || joint.guess_q) {
    refuse(joint.where, element,
           "drive says how it moves from the start on, so it takes no initial and no guess",
           "drive");
  }
}

void check_parent_motion(const JointDescription& joint, SpaceKind space,
                         const std::string& element) {
  bool moves = false;
  for (const auto& part : kFrameMotionParts) {
    const auto& function = (*joint.parent_motion).*part.function;
    if (!function) continue;
    moves = true;
    const std::string what = std::string("parent_motion.") + part.name;
    if (space == SpaceKind::kPlanar && !part.in_the_plane) {
      refuse(joint.where, element, what + " leaves the plane", what);
    }
    check_time_function(*function, what, joint.where, element);
  }
  if (!moves) refuse(joint.where, element, "parent_motion moves nothing", "parent_motion");
}

}  // namespace

void check_joint(const JointDescription& joint, const Mechanism& mechanism,
                 const NameTable& bodies) {
  const auto element = titled("joint", joint.name);
  check_known_body(bodies, joint.parent, "parent", joint.where, element);
  check_known_body(bodies, joint.child, "child", joint.where, element);
  if (joint.parent == joint.child) {
    refuse(joint.where, element, "connects \"" + joint.parent + "\" to itself");
  }
  check_frame(joint.at_parent, mechanism.space, "at_parent", joint.where, element);
  check_frame(joint.at_child, mechanism.space, "at_child", joint.where, element);
  if (joint_type_from_name(to_name(joint.type)) != joint.type) {
    refuse(joint.where, element,
           "type " + std::to_string(static_cast<int>(joint.type)) + " is no JointType", "type");
  }
  if (!exists_in(joint.type, mechanism.space)) {
    refuse(joint.where, element,
           std::string("a ") + to_name(joint.type) + " joint needs a spatial mechanism", "type");
  }
  const auto size = joint_size(joint.type, mechanism.space);
  check_values(joint.initial_q, size.coordinates, "initial.q", joint, element);
  check_values(joint.guess_q, size.coordinates, "guess.q", joint, element);
  check_values(joint.initial_v, size.velocities, "initial.v", joint, element);
  check_quaternion(joint.initial_q, size, "initial.q", joint, element);
  check_quaternion(joint.guess_q, size, "guess.q", joint, element);
  check_pitch(joint, element);
  check_armature(joint, size, element);
  check_cut(joint, element);
  if (joint.branch && *joint.branch < 1) {
    refuse(joint.where, element,
           "branch is " + std::to_string(*joint.branch) + ", but motions are numbered from 1",
           "branch");
  }
  if (joint.drive) check_drive(joint, size, element);
  if (joint.parent_motion) check_parent_motion(joint, mechanism.space, element);
}

}  // namespace hamiltree
