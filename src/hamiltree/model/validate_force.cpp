#include "hamiltree/model/validate_force.hpp"

#include <algorithm>
#include <string>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {
namespace {

struct ForceCheck {
  const Mechanism& mechanism;
  const Names& names;

  void operator()(const JointSpringDamper& f) const {
    const auto element = titled("spring and damper of joint", f.joint);
    one_dof_joint(mechanism, names.joints, f.joint, f.where, element);
    check_not_negative(f.stiffness, "stiffness", f.where, element);
    check_number(f.rest, "rest", f.where, element);
    check_not_negative(f.damping, "damping", f.where, element);
  }
  void operator()(const JointLimits& f) const {
    const auto element = titled("limits of joint", f.joint);
    one_dof_joint(mechanism, names.joints, f.joint, f.where, element);
    if (!f.lower && !f.upper) refuse(f.where, element, "needs lower, upper or both");
    if (f.lower) check_number(*f.lower, "lower", f.where, element);
    if (f.upper) check_number(*f.upper, "upper", f.where, element);
    if (f.lower && f.upper && !(*f.lower < *f.upper)) {
      refuse(f.where, element,
             "lower must be below upper, but " + to_text(*f.lower) + " is not below " +
                 to_text(*f.upper));
    }
    check_positive(f.stiffness, "stiffness", f.where, element);
    check_not_negative(f.damping, "damping", f.where, element);
    if (f.transition) {
      check_positive(*f.transition, "transition", f.where, element);
    } else if (!f.lower || !f.upper) {
      refuse(f.where, element, "needs transition where it has one end only");
    }
  }
  void operator()(const JointFriction& f) const {
    const auto element = titled("friction of joint", f.joint);
    one_dof_joint(mechanism, names.joints, f.joint, f.where, element);
    check_not_negative(f.coulomb, "coulomb", f.where, element);
    check_not_negative(f.viscous, "viscous", f.where, element);
    check_not_negative(f.velocity_scale, "velocity_scale", f.where, element);
    if (f.coulomb > 0.0) check_positive(f.velocity_scale, "velocity_scale", f.where, element);
  }
  void operator()(const PointSpringDamper& f) const {
    const auto element = titled("force", f.name);
    check_points(f.points, f.where, element);
    check_not_negative(f.stiffness, "stiffness", f.where, element);
    check_not_negative(f.rest_length, "rest_length", f.where, element);
    check_not_negative(f.damping, "damping", f.where, element);
    if (f.slack) check_not_negative(*f.slack, "slack", f.where, element);
  }
  void operator()(const Bushing& f) const {
    const auto element = titled("force", f.name);
    check_bodies(f, element);
    check_frame(f.at_a, mechanism.space, "at_a", f.where, element);
    check_frame(f.at_b, mechanism.space, "at_b", f.where, element);
    const auto check = [&](const Eigen::Vector3d& x, const char* what) {
      for (const double value : x) check_not_negative(value, what, f.where, element);
    };
    check(f.translational_stiffness, "translational_stiffness");
    check(f.rotational_stiffness, "rotational_stiffness");
    check(f.translational_damping, "translational_damping");
    check(f.rotational_damping, "rotational_damping");
    check_not_negative(f.angle_stiffness, "angle_stiffness", f.where, element);
    check(f.turn_stiffness, "turn_stiffness");
    check_numbers(f.rest_turn, "rest_turn", f.where, element);
  }
  void operator()(const Actuator& f) const {
    const auto element = titled("force", f.name);
    one_dof_joint(mechanism, names.joints, f.joint, f.where, element);
    check_time_function(f.effort, "effort", f.where, element);
  }
  void operator()(const Servo& f) const {
    const auto element = titled("force", f.name);
    if (!f.points.empty()) {
      if (!f.joints.empty()) refuse(f.where, element, "acts on joints and on points");
      check_points(f.points, f.where, element);
    } else if (f.joints.empty()) {
      refuse(f.where, element, "acts on no joint");
    }
    if (f.ratios.size() != f.joints.size()) {
      refuse(f.where, element,
             "has " + std::to_string(f.ratios.size()) + " ratios for " +
                 std::to_string(f.joints.size()) + " joints");
    }
    for (const auto& joint : f.joints) {
      one_dof_joint(mechanism, names.joints, joint, f.where, element);
    }
    for (const double ratio : f.ratios) check_number(ratio, "ratio", f.where, element);
    check_time_function(f.effort, "effort", f.where, element);
    check_number(f.stiffness, "stiffness", f.where, element);
    check_number(f.damping, "damping", f.where, element);
    if (f.lower) check_number(*f.lower, "lower", f.where, element);
    if (f.upper) check_number(*f.upper, "upper", f.where, element);
    if (f.lower && f.upper && !(*f.lower <= *f.upper)) {
      refuse(f.where, element,
             "lower must not be above upper, but " + to_text(*f.lower) + " is above " +
                 to_text(*f.upper));
    }
  }
  void operator()(const AppliedWrench& f) const {
    const auto element = titled("force", f.name);
    check_own_body(f.body, f.where, element);
    check_vector(f.position, mechanism.space, "position", f.where, element);
    for (const auto& [name, part] : kTimeVectorParts) {
      check_component(f.force.*part, name[0] != 'z', std::string("force.") + name, f.where,
                      element);
      check_component(f.moment.*part, name[0] == 'z', std::string("moment.") + name, f.where,
                      element);
    }
  }

  void operator()(const EffortCallback& f) const {
    const auto element = titled("force", f.name);
    one_dof_joint(mechanism, names.joints, f.joint, f.where, element);
    check_function(f.effort, "effort", f.where, element);
  }
  void operator()(const LoadCallback& f) const {
    const auto element = titled("force", f.name);
    check_own_body(f.body, f.where, element);
    check_function(f.load, "load", f.where, element);
  }
  void operator()(const Controller& f) const {
    const auto element = titled("force", f.name);
    for (const auto& joint : f.joints) {
      one_dof_joint(mechanism, names.joints, joint, f.where, element);
    }
    check_function(f.law, "law", f.where, element);
  }

  template <class Function>
  static void check_function(const Function& function, const std::string& what,
                             const SourceLocation& where, const std::string& element) {
    if (!function) refuse(where, element, what + " is no function");
  }
  template <class Force>
  void check_bodies(const Force& f, const std::string& element) const {
    check_known_body(names.bodies, f.body_a, "body_a", f.where, element);
    check_known_body(names.bodies, f.body_b, "body_b", f.where, element);
    if (f.body_a == f.body_b) {
      refuse(f.where, element, "body_a and body_b are both \"" + f.body_a + "\"");
    }
  }
  // Those of two-point springs are called body_a, body_b, point_a and point_b.
  void check_points(const std::vector<RopePoint>& points, const SourceLocation& where,
                    const std::string& element) const {
    if (points.size() < 2) {
      refuse(where, element, "needs two points or more, it has " + std::to_string(points.size()));
    }
    const auto named = [&](const char* what, std::size_t i) {
      if (points.size() == 2) return std::string(what) + (i == 0 ? "_a" : "_b");
      return std::string(what) + " " + std::to_string(i + 1);
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      check_known_body(names.bodies, points[i].body, named("body", i), where, element);
      check_vector(points[i].position, mechanism.space, named("point", i), where, element);
      check_not_negative(points[i].ratio, named("ratio", i), where, element);
    }
    const bool same = std::ranges::all_of(
        points, [&](const RopePoint& point) { return point.body == points.front().body; });
    if (!same) return;
    const std::string which =
        points.size() == 2 ? "body_a and body_b are both" : "all points are of";
    refuse(where, element, which + " \"" + points.front().body + "\"");
  }
  void check_own_body(const std::string& body, const SourceLocation& where,
                      const std::string& element) const {
    check_known_body(names.bodies, body, "body", where, element);
    if (body == kGround) refuse(where, element, "acts on the ground, which nothing moves");
  }
  void check_component(const std::optional<TimeFunction>& component, bool in_the_plane,
                       const std::string& what, const SourceLocation& where,
                       const std::string& element) const {
    if (!component) return;
    if (mechanism.space == SpaceKind::kPlanar && !in_the_plane) {
      refuse(where, element, what + " leaves the plane");
    }
    check_time_function(*component, what, where, element);
  }
};

}  // namespace

void check_force(const ForceDescription& force, const Mechanism& mechanism, const Names& names) {
  std::visit(ForceCheck{mechanism, names}, force);
}

}  // namespace hamiltree
