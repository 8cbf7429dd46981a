#include "hamiltree/model/checks.hpp"

#include <Eigen/LU>
#include <cmath>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

// Thin rods of real bodies and plates stand on the bounds exactly, hence some slack for rounding.
constexpr double kRounding = 1e-9;

// One kind of TimeFunction, called `what` in messages.
struct TimeFunctionCheck {
  std::string what;
  const SourceLocation& where;
  const std::string& element;

  void operator()(const Polynomial& f) const {
    if (f.coefficients.empty())
      refuse(where, element, what + " needs at least one coefficient", what);
    check_list(f.coefficients, "coefficients");
  }
  void operator()(const Sine& f) const {
    check_number(f.constant, what + ".constant", where, element);
    check_number(f.amplitude, what + ".amplitude", where, element);
    check_number(f.frequency, what + ".frequency", where, element);
    check_number(f.phase, what + ".phase", where, element);
  }
  void operator()(const SmoothStep& f) const {
    check_number(f.from, what + ".from", where, element);
    check_number(f.to, what + ".to", where, element);
    check_number(f.start, what + ".start", where, element);
    check_positive(f.duration, what + ".duration", where, element);
  }
  void operator()(const Table& f) const {
    check_list(f.times, "times");
    check_list(f.values, "values");
    check_number(f.start_rate, what + ".start_rate", where, element);
    check_number(f.end_rate, what + ".end_rate", where, element);
    if (f.times.size() < 2) refuse(where, element, what + " needs at least two times", what);
    if (f.values.size() != f.times.size()) {
      refuse(where, element,
             what + " has " + std::to_string(f.values.size()) + " values for " +
                 std::to_string(f.times.size()) + " times",
             what);
    }
    for (std::size_t i = 1; i < f.times.size(); ++i) {
      if (f.times[i] > f.times[i - 1]) continue;
      refuse(where, element,
             what + ".times must ascend, but " + to_text(f.times[i - 1]) + " is followed by " +
                 to_text(f.times[i]),
             what + ".times");
    }
  }

  void check_list(const std::vector<double>& list, const char* key) const {
    const auto size = static_cast<Eigen::Index>(list.size());
    check_numbers(Eigen::Map<const Eigen::VectorXd>(list.data(), size), what + "." + key, where,
                  element);
  }
};

}  // namespace

std::string titled(const std::string& kind, const std::string& name) {
  return kind + " \"" + name + "\"";
}

void refuse(const SourceLocation& where, const std::string& element, const std::string& why,
            const std::string& key) {
  throw RefusedElement(where, element, why, key);
}

void check_number(double value, const std::string& what, const SourceLocation& where,
                  const std::string& element) {
  if (!std::isfinite(value)) refuse(where, element, what + " is not a finite number", what);
}

void check_not_negative(double value, const std::string& what, const SourceLocation& where,
                        const std::string& element) {
  check_number(value, what, where, element);
  if (value < 0.0)
    refuse(where, element, what + " must not be negative, it is " + to_text(value), what);
}

void check_positive(double value, const std::string& what, const SourceLocation& where,
                    const std::string& element) {
  check_number(value, what, where, element);
  if (!(value > 0.0))
    refuse(where, element, what + " must be positive, it is " + to_text(value), what);
}

void check_vector(const Eigen::Vector3d& x, SpaceKind space, const std::string& what,
                  const SourceLocation& where, const std::string& element) {
  check_numbers(x, what, where, element);
  if (space == SpaceKind::kPlanar && x.z() != 0.0) {
    refuse(where, element, what + " leaves the plane: z is " + to_text(x.z()), what);
  }
}

std::optional<std::string> inertia_problem(const Eigen::Matrix3d& J, bool accept_any_triangle) {
  if (!J.isApprox(J.transpose(), 1e-12)) return "inertia is not symmetric";
  const Eigen::Vector3d moments = principal_axes(J).moments;
  if (moments(0) < -kRounding * moments(2)) {
    return "inertia must not have negative principal moments, the smallest is " +
           to_text(moments(0));
  }
  if (!accept_any_triangle && moments(0) + moments(1) < moments(2) * (1.0 - kRounding)) {
    return "inertia breaks the triangle inequality: of its principal moments, " +
           to_text(moments(0)) + " and " + to_text(moments(1)) + " together are less than " +
           to_text(moments(2));
  }
  return std::nullopt;
}

void check_known_body(const NameTable& bodies, const std::string& name, const std::string& role,
                      const SourceLocation& where, const std::string& element) {
  if (name != kGround && !bodies.contains(name)) {
    refuse(where, element, role + " \"" + name + "\" is not a body of this mechanism", role);
  }
}

void check_known_joint(const NameTable& joints, const std::string& name,
                       const SourceLocation& where, const std::string& element,
                       const std::string& key) {
  if (!joints.contains(name)) {
    refuse(where, element, "joint \"" + name + "\" is not a joint of this mechanism", key);
  }
}

const JointDescription& one_dof_joint(const Mechanism& mechanism, const NameTable& joints,
                                      const std::string& joint, const SourceLocation& where,
                                      const std::string& element, const std::string& key) {
  check_known_joint(joints, joint, where, element, key);
  const auto& described = mechanism.joints[at(joints.find(joint)->second)];
  if (joint_size(described.type, mechanism.space).velocities != 1) {
    refuse(where, element,
           "needs a joint with one degree of freedom, joint \"" + joint + "\" is " +
               to_name(described.type),
           key);
  }
  return described;
}

void check_frame(const Frame& frame, SpaceKind space, const std::string& what,
                 const SourceLocation& where, const std::string& element) {
  check_vector(frame.position, space, what, where, element);
  check_numbers(frame.rotation, what, where, element);
  if (!(frame.rotation * frame.rotation.transpose()).isIdentity(1e-9) ||
      frame.rotation.determinant() < 0.0) {
    refuse(where, element, "the axes of " + what + " are not orthonormal and right-handed", what);
  }
  if (space == SpaceKind::kPlanar && frame.rotation(2, 2) < 1.0 - 1e-9) {
    refuse(where, element, "the axes of " + what + " are turned out of the plane", what);
  }
}

void check_time_function(const TimeFunction& function, const std::string& what,
                         const SourceLocation& where, const std::string& element) {
  std::visit(TimeFunctionCheck{what, where, element}, function);
}

}  // namespace hamiltree
