#include "hamiltree/model/validate_force.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {
namespace {

bool is_zero(const TimeFunction& f) {
  const auto* polynomial = std::get_if<Polynomial>(&f);
  return polynomial != nullptr &&
         std::ranges::all_of(polynomial->coefficients, [](double c) { return c == 0.0; });
}

// Holds the numbers of a force to what its fields say.
struct NumberCheck : IgnoreFields {
  const SourceLocation& where;
  const std::string& element;

  NumberCheck(const SourceLocation& place, const std::string& title)
      : where(place), element(title) {}

  void number(const char* key, double x, Range range, Need = Need::kOptional) const {
    if (range == Range::kAny) check_number(x, key, where, element);
    if (range == Range::kNotNegative) check_not_negative(x, key, where, element);
    if (range == Range::kPositive) check_positive(x, key, where, element);
  }
  void number(const char* key, const std::optional<double>& x, Range range) const {
    if (x) number(key, *x, range);
  }
  void numbers(const char* key, const std::vector<double>& list) const {
    check_numbers(Eigen::VectorXd::Map(list.data(), std::ssize(list)), key, where, element);
  }
  void along_axes(const char* key, const Eigen::Vector3d& x, Range range) const {
    if (range == Range::kAny) return check_numbers(x, key, where, element);
    for (const double value : x) number(key, value, range);
  }
  void about_axes(const char* key, const Eigen::Vector3d& x, Range range) const {
    along_axes(key, x, range);
  }
};

// Holds a force to what its fields say, whatever its kind. The rest is in check() of each kind.
struct FieldCheck : NumberCheck {
  const Mechanism& mechanism;
  const Names& names;
  const bool in_space;  // in a joint that the force takes beside those with one degree of freedom

  FieldCheck(const SourceLocation& place, const std::string& title, const Mechanism& all,
             const Names& known, bool takes_joint)
      : NumberCheck(place, title), mechanism(all), names(known), in_space(takes_joint) {}

  void body(const char* key, const std::string& name) const {
    check_known_body(names.bodies, name, key, where, element);
  }
  void moved_body(const char* key, const std::string& name) const {
    body(key, name);
    if (name == kGround) refuse(where, element, "acts on the ground, which nothing moves", key);
  }
  void joint(const char* key, const std::string& name) const {
    if (!in_space) one_dof_joint(mechanism, names.joints, name, where, element, key);
  }
  void joints(const char* key, const std::vector<std::string>& all) const {
    for (auto name = all.begin(); name != all.end(); ++name) {
      joint(key, *name);
      if (std::find(all.begin(), name, *name) != name)
        refuse(where, element, "names joint \"" + *name + "\" twice", key);
    }
  }

  void point(const char* key, const Eigen::Vector3d& x, const std::string&) const {
    check_vector(x, mechanism.space, key, where, element);
  }
  void frame(const char* key, const Frame& X, const std::string&) const {
    check_frame(X, mechanism.space, key, where, element);
  }
  void function(const char* key, const TimeFunction& f, Need) const {
    check_time_function(f, key, where, element);
  }
  void along_axes_in_time(const char* key, const TimeVector& f) const { in_time(key, f, false); }
  void about_axes_in_time(const char* key, const TimeVector& f) const { in_time(key, f, true); }
  void in_time(const std::string& key, const TimeVector& f, bool about) const {
    for (const auto& [axis, part] : kTimeVectorParts) {
      const auto& component = f.*part;
      if (!component) continue;
      const std::string what = key + "." + axis;
      const bool leaves = mechanism.space == SpaceKind::kPlanar && (axis[0] == 'z') != about;
      if (leaves && !is_zero(*component)) refuse(where, element, what + " leaves the plane", what);
      check_time_function(*component, what, where, element);
    }
  }
  template <class Choice, class Words>
  void word(const char*, const Choice&, const Words&) const {}

  void rope(const std::vector<RopePoint>& points) const { check_points(points); }
  void pulled(const std::vector<std::string>& joint_names, const std::vector<double>& ratios,
              const std::vector<RopePoint>& points) const {
    if (!points.empty()) {
      if (!joint_names.empty()) refuse(where, element, "acts on joints and on points");
      check_points(points);
    } else if (joint_names.empty()) {
      refuse(where, element, "acts on no joint", "joints");
    }
    joints("joints", joint_names);
    if (ratios.size() != joint_names.size()) {
      const auto count = [](const auto& all, const char* noun) {
        return counted(static_cast<long>(all.size()), noun);
      };
      refuse(where, element,
             "has " + count(ratios, "ratio") + " for " + count(joint_names, "joint"), "ratios");
    }
    for (const double ratio : ratios) check_number(ratio, "ratio", where, element);
  }

  template <class Function>
  void callback(const char* key, const Function& function) const {
    if (!function) refuse(where, element, std::string(key) + " is no function");
  }

  // Two points may have been given as body_a and body_b.
  void check_points(const std::vector<RopePoint>& points) const {
    if (points.size() < 2) {
      refuse(where, element, "needs two points or more, it has " + std::to_string(points.size()),
             "points");
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& [body, position, ratio] = points[i];
      const auto number = std::to_string(i + 1), key = "points." + number;
      if (body != kGround && !names.bodies.contains(body)) {
        refuse(where, element, "body \"" + body + "\" is not a body of this mechanism",
               key + ".body");
      }
      check_vector(position, mechanism.space, "point " + number, where, element);
      check_number(ratio, "ratio " + number, where, element);
      if (ratio < 0.0) {
        refuse(where, element, "ratio " + number + " must not be negative, it is " + to_text(ratio),
               key + ".ratio");
      }
    }
    const bool same = std::ranges::all_of(
        points, [&](const RopePoint& point) { return point.body == points.front().body; });
    if (same) refuse(where, element, "all points are of \"" + points.front().body + "\"", "points");
  }
};

template <class Force>
constexpr bool kTakesFurtherJoints = requires {
  Force::takes(JointType::kFixed);
};

template <class Force>
void check_itself(const Force& force, const std::string& element, bool in_space) {
  const auto refuse_it = [&](const std::string& why, const std::string& key = {}) {
    refuse(force.where, element, why, key);
  };
  if constexpr (requires { force.check_in_space(refuse_it); }) {
    if (in_space) return force.check_in_space(refuse_it);
  }
  if constexpr (requires { force.check(refuse_it); }) force.check(refuse_it);
}

// Whether it acts in a joint with more than one degree of freedom.
template <class Force>
bool is_in_space(const Force& force, const Mechanism& mechanism, const Names& names,
                 const std::string& element) {
  if constexpr (kTakesFurtherJoints<Force>) {
    const auto found = names.joints.find(force.joint);
    if (found == names.joints.end()) return false;
    const auto& joint = mechanism.joints[at(found->second)];
    if (!Force::takes(joint.type)) return false;
    if (joint.parent_motion)
      refuse(force.where, element,
             std::string("is not possible in a ") + to_name(joint.type) +
                 " joint with a parent_motion");
    return true;
  } else {
    return false;
  }
}

}  // namespace

std::string title_of(const ForceDescription& force) {
  return std::visit(
      []<class Force>(const Force& f) {
        if constexpr (requires { f.name; }) {
          return titled("force", f.name);
        } else {
          return titled(Force::kTitle, f.joint);
        }
      },
      force);
}

void check_force(const ForceDescription& force, const Mechanism& mechanism, const Names& names) {
  const auto element = title_of(force);
  std::visit(
      [&](const auto& f) {
        const bool in_space = is_in_space(f, mechanism, names, element);
        f.fields(f, FieldCheck(f.where, element, mechanism, names, in_space));
        check_itself(f, element, in_space);
      },
      force);
}

void check_numbers_of(const ForceDescription& force, const std::string& element, bool in_space) {
  std::visit(
      [&](const auto& f) {
        f.fields(f, NumberCheck(f.where, element));
        check_itself(f, element, in_space);
      },
      force);
}

}  // namespace hamiltree
