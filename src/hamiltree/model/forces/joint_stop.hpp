// Elastic stops of a joint, described and in tables; how they push is said in
// hamiltree/forces/joint_stop.hpp and ball_stop.hpp.
#pragma once

#include <numbers>
#include <optional>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/forces/joint_ends.hpp"

namespace hamiltree {

// What must be right about the ends of all stops.
template <class Limits, class Refuse>
void check_stops(const Limits& limits, const Refuse& refuse) {
  const auto &lower = limits.lower, &upper = limits.upper;
  if (!lower && !upper) refuse("needs lower, upper or both");
  if (lower && upper && !(*lower < *upper)) {
    refuse("lower must be below upper, but " + to_text(*lower) + " is not below " + to_text(*upper),
           "lower");
  }
  if (!limits.transition && (!lower || !upper))
    refuse("needs transition where it has one end only");
}

// f(end, side, transition) for each stop there is.
template <class Limits, class F>
void for_each_stop(const Limits& limits, const F& f) {
  const auto &lower = limits.lower, &upper = limits.upper;
  const double way_in = limits.transition ? *limits.transition : 0.01 * (*upper - *lower);
  if (lower) f(*lower, -1.0, way_in);
  if (upper) f(*upper, 1.0, way_in);
}

// Elastic stops of a joint with one degree of freedom, at one end or both; or of a spherical joint,
// where `upper` is the largest angle of its whole turn.
struct JointLimits {
  std::string joint;
  std::optional<double> lower, upper;  // rad or m
  double stiffness = 0.0;              // N m/rad or N/m, > 0
  double damping = 0.0;                // N m s/rad or N s/m, >= 0
  // rad or m, > 0: over how much of the way in the stiffness sets in; without it a hundredth of
  // the way from one stop to the other, or of that of a spherical joint from 0.
  std::optional<double> transition;
  SourceLocation where;

  static constexpr const char* kTitle = "limits of joint";
  static constexpr const char* kClass = "JointLimits";
  static constexpr const char* kHelp =
      "Elastic stops of a joint with one degree of freedom; or of a spherical joint, where upper "
      "is the largest angle of its whole turn.";
  // Beside those with one degree of freedom.
  static bool takes(JointType type) { return type == JointType::kSpherical; }
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.number("lower", self.lower, Range::kAny);
    visit.number("upper", self.upper, Range::kAny);
    visit.number("stiffness", self.stiffness, Range::kPositive, Need::kRequired);
    visit.number("damping", self.damping, Range::kNotNegative);
    visit.number("transition", self.transition, Range::kPositive);
  }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    check_stops(*this, refuse);
  }
  template <class Refuse>
  void check_in_space(const Refuse& refuse) const {
    if (lower) refuse("a spherical joint has no lower stop, its turns have no sign", "lower");
    if (!upper) refuse("needs upper, the largest angle of the spherical joint", "upper");
    if (!(*upper > 0.0 && *upper < std::numbers::pi))
      refuse("upper of a spherical joint must be between 0 and pi, it is " + to_text(*upper),
             "upper");
  }

  template <class Tables>
  void compile(const Tables& to) const {
    if (takes(to.type(joint))) {
      to.system.ball_stops.push_back(
          {to.ends(joint), *upper, stiffness, damping, transition.value_or(0.01 * *upper)});
      return;
    }
    for_each_stop(*this, [&](double end, double side, double way_in) {
      to.system.joint_stops.push_back({to.joint(joint), side, end, stiffness, damping, way_in});
    });
  }
};

// One end of a joint's way: side +1 stops what goes beyond `at`, side -1 what falls below.
template <class Space>
struct JointStop {
  int joint = 0;
  double side = 1.0;
  typename Space::Scalar at{0}, stiffness{0}, damping{0}, transition{1};

  template <class To>
  JointStop<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, side, Other(at), Other(stiffness), Other(damping), Other(transition)};
  }
  // `other`: the stop at the other end of the same way, if there is one.
  JointLimits described(const JointStop* other = nullptr) const {
    JointLimits limits{{}, {}, {}, stiffness, damping, transition, {}};
    (side > 0.0 ? limits.upper : limits.lower) = at;
    if (other != nullptr) (side > 0.0 ? limits.lower : limits.upper) = other->at;
    return limits;
  }
  const char* parameters() const { return side > 0.0 ? "upper" : "lower"; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kPosition);
    visit.number("at", self.at);
    visit.number("stiffness", self.stiffness);
    visit.number("damping", self.damping);
    visit.number("transition", self.transition);
  }
};

// Stops a spherical joint that has turned by more than the angle `at`.
template <class Space>
struct BallStop : JointEnds<Space> {
  typename Space::Scalar at{0}, stiffness{0}, damping{0}, transition{1};

  template <class To>
  BallStop<To> cast() const {
    using Other = typename To::Scalar;
    return {this->template cast_ends<To>(), Other(at), Other(stiffness), Other(damping),
            Other(transition)};
  }
  JointLimits described() const { return {{}, {}, at, stiffness, damping, transition, {}}; }
  const char* parameters() const { return "upper"; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    JointEnds<Space>::visit_ends(self, visit);
    visit.number("at", self.at);
    visit.number("stiffness", self.stiffness);
    visit.number("damping", self.damping);
    visit.number("transition", self.transition);
  }
};

}  // namespace hamiltree
