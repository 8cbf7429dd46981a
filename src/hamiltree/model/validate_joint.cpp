#include "hamiltree/model/validate_joint.hpp"

#include <Eigen/LU>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

void check_frame(const Frame& frame, SpaceKind space, const std::string& what,
                 const SourceLocation& where, const std::string& element) {
  check_vector(frame.position, space, what, where, element);
  check_numbers(frame.rotation, what, where, element);
  if (!(frame.rotation * frame.rotation.transpose()).isIdentity(1e-9) ||
      frame.rotation.determinant() < 0.0) {
    refuse(where, element, "the axes of " + what + " are not orthonormal and right-handed");
  }
  if (space == SpaceKind::kPlanar && frame.rotation(2, 2) < 1.0 - 1e-9) {
    refuse(where, element, "the axes of " + what + " are turned out of the plane");
  }
}

void check_values(const std::optional<Eigen::VectorXd>& values, int expected,
                  const std::string& what, const JointDescription& joint,
                  const std::string& element) {
  if (!values) return;
  check_numbers(*values, what, joint.where, element);
  if (values->size() != expected) {
    refuse(joint.where, element,
           what + " of a " + to_name(joint.type) + " joint needs " + std::to_string(expected) +
               (expected == 1 ? " number" : " numbers") + ", has " +
               std::to_string(values->size()));
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
           "the quaternion in " + what + " has length " + to_text(length) + ", not 1");
  }
}

void check_pitch(const JointDescription& joint, const std::string& element) {
  check_number(joint.pitch, "pitch", joint.where, element);
  const bool helical = joint.type == JointType::kHelical;
  if (helical && joint.pitch == 0.0) {
    refuse(joint.where, element, "pitch must not be 0; without it the joint is revolute");
  }
  if (!helical && joint.pitch != 0.0) {
    refuse(joint.where, element, std::string("a ") + to_name(joint.type) + " joint has no pitch");
  }
}

// One kind of TimeFunction, called `what` in messages.
struct TimeFunctionCheck {
  std::string what;
  const SourceLocation& where;
  const std::string& element;

  void operator()(const Polynomial& f) const {
    if (f.coefficients.empty()) refuse(where, element, what + " needs at least one coefficient");
    check_list(f.coefficients, "coefficients");
  }
  void operator()(const Sine& f) const { check_wave(f, what + ".", where, element); }
  void operator()(const SmoothStep& f) const {
    check_number(f.from, what + ".from", where, element);
    check_number(f.to, what + ".to", where, element);
    check_number(f.start, what + ".start", where, element);
    check_number(f.duration, what + ".duration", where, element);
    if (!(f.duration > 0.0)) {
      refuse(where, element, what + ".duration must be positive, it is " + to_text(f.duration));
    }
  }
  void operator()(const Table& f) const {
    check_list(f.times, "times");
    check_list(f.values, "values");
    check_number(f.start_rate, what + ".start_rate", where, element);
    check_number(f.end_rate, what + ".end_rate", where, element);
    if (f.times.size() < 2) refuse(where, element, what + " needs at least two times");
    if (f.values.size() != f.times.size()) {
      refuse(where, element,
             what + " has " + std::to_string(f.values.size()) + " values for " +
                 std::to_string(f.times.size()) + " times");
    }
    for (std::size_t i = 1; i < f.times.size(); ++i) {
      if (f.times[i] > f.times[i - 1]) continue;
      refuse(where, element,
             what + ".times must ascend, but " + to_text(f.times[i - 1]) + " is followed by " +
                 to_text(f.times[i]));
    }
  }

  void check_list(const std::vector<double>& list, const char* key) const {
    const auto size = static_cast<Eigen::Index>(list.size());
    check_numbers(Eigen::Map<const Eigen::VectorXd>(list.data(), size), what + "." + key, where,
                  element);
  }
};

void check_drive(const JointDescription& joint, const JointSize& size, const std::string& element) {
  if (size.velocities != 1) {
    refuse(joint.where, element,
           std::string("drive needs a joint with one degree of freedom, this one is ") +
               to_name(joint.type));
  }
  std::visit(TimeFunctionCheck{"drive", joint.where, element}, *joint.drive);
  if (joint.initial_q || joint.initial_v || joint.guess_q) {
    refuse(joint.where, element,
           "drive says how it moves from the start on, so it takes no initial and no guess");
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
      refuse(joint.where, element, what + " leaves the plane");
    }
    std::visit(TimeFunctionCheck{what, joint.where, element}, *function);
  }
  if (!moves) refuse(joint.where, element, "parent_motion moves nothing");
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
  if (!exists_in(joint.type, mechanism.space)) {
    refuse(joint.where, element,
           std::string("a ") + to_name(joint.type) + " joint needs a " +
               (mechanism.space == SpaceKind::kPlanar ? "spatial" : "planar") + " mechanism");
  }
  const auto size = joint_size(joint.type, mechanism.space);
  check_values(joint.initial_q, size.coordinates, "initial.q", joint, element);
  check_values(joint.guess_q, size.coordinates, "guess.q", joint, element);
  check_values(joint.initial_v, size.velocities, "initial.v", joint, element);
  check_quaternion(joint.initial_q, size, "initial.q", joint, element);
  check_quaternion(joint.guess_q, size, "guess.q", joint, element);
  check_pitch(joint, element);
  if (joint.drive) check_drive(joint, size, element);
  if (joint.parent_motion) check_parent_motion(joint, mechanism.space, element);
}

}  // namespace hamiltree
