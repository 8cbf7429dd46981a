#include "hamiltree/model/validate.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <type_traits>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {
namespace {

// "joint "A": "
std::string titled(const std::string& kind, const std::string& name) {
  return kind + " \"" + name + "\"";
}

[[noreturn]] void refuse(const SourceLocation& where, const std::string& element,
                         const std::string& why) {
  throw ModelError(where, element, element + ": " + why);
}

void check_number(double value, const char* what, const SourceLocation& where,
                  const std::string& element) {
  if (!std::isfinite(value)) refuse(where, element, std::string(what) + " is not a finite number");
}

template <class Derived>
void check_numbers(const Eigen::MatrixBase<Derived>& values, const char* what,
                   const SourceLocation& where, const std::string& element) {
  if (!values.allFinite())
    refuse(where, element, "a number of " + std::string(what) + " is not finite");
}

// A vector of the mechanism's space: the plane has no z.
void check_vector(const Eigen::Vector3d& x, SpaceKind space, const char* what,
                  const SourceLocation& where, const std::string& element) {
  check_numbers(x, what, where, element);
  if (space == SpaceKind::kPlanar && x.z() != 0.0) {
    refuse(where, element, std::string(what) + " leaves the plane: z is " + to_text(x.z()));
  }
}

void check_not_negative(double value, const char* what, const SourceLocation& where,
                        const std::string& element) {
  check_number(value, what, where, element);
  if (value < 0.0)
    refuse(where, element, std::string(what) + " must not be negative, it is " + to_text(value));
}

void add_name(NameTable& table, const std::string& kind, const std::string& name,
              const SourceLocation& where) {
  const auto element = titled(kind, name);
  if (name.empty()) refuse(where, kind, "the name is missing");
  if (name == kGround) refuse(where, element, "the name is reserved for the ground itself");
  if (!table.emplace(name, static_cast<int>(table.size())).second) {
    refuse(where, element, "another " + kind + " has this name already");
  }
}

void check_spatial_inertia(const BodyDescription& body, const std::string& element) {
  const Eigen::Matrix3d& J = body.inertia;
  if (!J.isApprox(J.transpose(), 1e-12)) refuse(body.where, element, "inertia is not symmetric");
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(moments(0) > 0.0)) {
    refuse(body.where, element,
           "inertia must have positive principal moments, the smallest is " + to_text(moments(0)));
  }
  // Of any real body two principal moments together are at least the third; thin plates meet it
  // exactly, hence the slack for rounding.
  if (moments(0) + moments(1) < moments(2) * (1.0 - 1e-9)) {
    refuse(body.where, element,
           "inertia breaks the triangle inequality: of its principal moments, " +
               to_text(moments(0)) + " and " + to_text(moments(1)) + " together are less than " +
               to_text(moments(2)));
  }
}

void check_body(const BodyDescription& body, SpaceKind space) {
  const auto element = titled("body", body.name);
  check_number(body.mass, "mass", body.where, element);
  if (!(body.mass > 0.0)) {
    refuse(body.where, element, "mass must be positive, it is " + to_text(body.mass));
  }
  check_vector(body.com, space, "com", body.where, element);
  check_numbers(body.inertia, "inertia", body.where, element);
  if (space == SpaceKind::kSpatial) {
    check_spatial_inertia(body, element);
  } else if (!(body.inertia(2, 2) > 0.0)) {
    refuse(body.where, element, "inertia must be positive, it is " + to_text(body.inertia(2, 2)));
  }
}

void check_frame(const Frame& frame, SpaceKind space, const char* what, const SourceLocation& where,
                 const std::string& element) {
  check_vector(frame.position, space, what, where, element);
  check_numbers(frame.rotation, what, where, element);
  if (!(frame.rotation * frame.rotation.transpose()).isIdentity(1e-9) ||
      frame.rotation.determinant() < 0.0) {
    refuse(where, element,
           "the axes of " + std::string(what) + " are not orthonormal and right-handed");
  }
  if (space == SpaceKind::kPlanar && frame.rotation(2, 2) < 1.0 - 1e-9) {
    refuse(where, element, "the axes of " + std::string(what) + " are turned out of the plane");
  }
}

void check_values(const std::optional<Eigen::VectorXd>& values, int expected, const char* what,
                  const JointDescription& joint, const std::string& element) {
  if (!values) return;
  check_numbers(*values, what, joint.where, element);
  if (values->size() != expected) {
    refuse(joint.where, element,
           std::string(what) + " of a " + to_name(joint.type) + " joint needs " +
               std::to_string(expected) + (expected == 1 ? " number" : " numbers") + ", has " +
               std::to_string(values->size()));
  }
}

// One coordinate more than velocities: the last four are a unit quaternion.
void check_quaternion(const std::optional<Eigen::VectorXd>& values, const JointSize& size,
                      const char* what, const JointDescription& joint, const std::string& element) {
  if (!values || size.coordinates != size.velocities + 1) return;
  const double length = values->tail<4>().norm();
  if (!(std::abs(length - 1.0) <= 1e-6)) {
    refuse(joint.where, element,
           "the quaternion in " + std::string(what) + " has length " + to_text(length) + ", not 1");
  }
}

void check_known_body(const NameTable& bodies, const std::string& name, const char* role,
                      const SourceLocation& where, const std::string& element) {
  if (name != kGround && !bodies.contains(name)) {
    refuse(where, element, std::string(role) + " \"" + name + "\" is not a body of this mechanism");
  }
}

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
           std::string("a ") + to_name(joint.type) + " joint needs a spatial mechanism");
  }
  const auto size = joint_size(joint.type, mechanism.space);
  check_values(joint.initial_q, size.coordinates, "initial.q", joint, element);
  check_values(joint.guess_q, size.coordinates, "guess.q", joint, element);
  check_values(joint.initial_v, size.velocities, "initial.v", joint, element);
  check_quaternion(joint.initial_q, size, "initial.q", joint, element);
  check_quaternion(joint.guess_q, size, "guess.q", joint, element);
}

// Forces along a joint need exactly one direction to act in.
void check_one_dof(const Mechanism& mechanism, const NameTable& joints, const std::string& joint,
                   const SourceLocation& where, const std::string& element) {
  const auto found = joints.find(joint);
  if (found == joints.end()) {
    refuse(where, element, "joint \"" + joint + "\" is not a joint of this mechanism");
  }
  const auto& described = mechanism.joints[at(found->second)];
  if (joint_size(described.type, mechanism.space).velocities != 1) {
    refuse(where, element,
           "needs a joint with one degree of freedom, joint \"" + joint + "\" is " +
               to_name(described.type));
  }
}

struct ForceCheck {
  const Mechanism& mechanism;
  const Names& names;

  void operator()(const JointSpringDamper& f) const {
    const auto element = titled("spring and damper of joint", f.joint);
    check_one_dof(mechanism, names.joints, f.joint, f.where, element);
    check_not_negative(f.stiffness, "stiffness", f.where, element);
    check_number(f.rest, "rest", f.where, element);
    check_not_negative(f.damping, "damping", f.where, element);
  }
  void operator()(const PointSpringDamper& f) const {
    const auto element = titled("force", f.name);
    check_known_body(names.bodies, f.body_a, "body_a", f.where, element);
    check_known_body(names.bodies, f.body_b, "body_b", f.where, element);
    if (f.body_a == f.body_b)
      refuse(f.where, element, "body_a and body_b are both \"" + f.body_a + "\"");
    check_vector(f.point_a, mechanism.space, "point_a", f.where, element);
    check_vector(f.point_b, mechanism.space, "point_b", f.where, element);
    check_not_negative(f.stiffness, "stiffness", f.where, element);
    check_not_negative(f.rest_length, "rest_length", f.where, element);
    check_not_negative(f.damping, "damping", f.where, element);
  }
  void operator()(const Actuator& f) const {
    const auto element = titled("force", f.name);
    check_one_dof(mechanism, names.joints, f.joint, f.where, element);
    for (const auto& [value, what] : {std::pair{f.constant, "constant"},
                                      {f.amplitude, "amplitude"},
                                      {f.frequency, "frequency"},
                                      {f.phase, "phase"}}) {
      check_number(value, what, f.where, element);
    }
  }
};

struct SensorCheck {
  const Names& names;
  SpaceKind space;

  void operator()(const BodySensor& s) const {
    known_body(s.body, s.where, titled("sensor", s.name));
  }
  void operator()(const PointSensor& s) const {
    const auto element = titled("sensor", s.name);
    known_body(s.body, s.where, element);
    check_vector(s.position, space, "position", s.where, element);
  }
  void operator()(const ReactionSensor& s) const {
    known_joint(s.joint, s.where, titled("sensor", s.name));
  }
  void operator()(const JointSensor& s) const {
    known_joint(s.joint, s.where, titled("sensor", s.name));
  }
  void known_joint(const std::string& joint, const SourceLocation& where,
                   const std::string& element) const {
    if (!names.joints.contains(joint)) {
      refuse(where, element, "joint \"" + joint + "\" is not a joint of this mechanism");
    }
  }
  void operator()(const EnergySensor&) const {}

  void known_body(const std::string& body, const SourceLocation& where,
                  const std::string& element) const {
    if (!names.bodies.contains(body)) {
      refuse(where, element, "body \"" + body + "\" is not a body of this mechanism");
    }
  }
};

}  // namespace

Names validate(const Mechanism& mechanism) {
  check_vector(mechanism.gravity, mechanism.space, "gravity", mechanism.where, "mechanism");
  if (mechanism.bodies.empty()) refuse(mechanism.where, "mechanism", "has no body");
  Names names;
  for (const auto& body : mechanism.bodies) {
    add_name(names.bodies, "body", body.name, body.where);
    check_body(body, mechanism.space);
  }
  for (const auto& joint : mechanism.joints) {
    add_name(names.joints, "joint", joint.name, joint.where);
    check_joint(joint, mechanism, names.bodies);
  }
  NameTable forces;
  for (const auto& force : mechanism.forces) {
    std::visit(
        [&]<class F>(const F& f) {
          // The spring and damper of a joint goes by the joint's name.
          if constexpr (!std::is_same_v<F, JointSpringDamper>) {
            add_name(forces, "force", f.name, f.where);
          }
        },
        force);
    std::visit(ForceCheck{mechanism, names}, force);
  }
  NameTable sensors;
  for (const auto& sensor : mechanism.sensors) {
    std::visit([&](const auto& s) { add_name(sensors, "sensor", s.name, s.where); }, sensor);
    std::visit(SensorCheck{names, mechanism.space}, sensor);
  }
  return names;
}

}  // namespace hamiltree
