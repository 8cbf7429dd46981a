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
#include "hamiltree/model/forces/stop_law.hpp"

namespace hamiltree {

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
          {to.ends(joint), {1.0, *upper, stiffness, damping, transition.value_or(0.01 * *upper)}});
      return;
    }
    for_each_stop(*this, [&](double end, double side, double way_in) {
      to.system.joint_stops.push_back({to.joint(joint), {side, end, stiffness, damping, way_in}});
    });
  }
};

template <class Space>
struct JointStop {
  int joint = 0;
  StopLaw<Space> law;

  template <class To>
  JointStop<To> cast() const {
    return {joint, law.template cast<To>()};
  }
  // `other`: the stop at the other end of the same way, if there is one.
  JointLimits described(const JointStop* other = nullptr) const {
    return law.described(other == nullptr ? JointLimits{} : other->described());
  }
  const char* parameters() const { return law.side > 0.0 ? "upper" : "lower"; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kPosition);
    StopLaw<Space>::parts(self.law, visit);
  }
};

// Stops a spherical joint that has turned by more than an angle.
template <class Space>
struct BallStop : JointEnds<Space> {
  StopLaw<Space> law;

  template <class To>
  BallStop<To> cast() const {
    return {this->template cast_ends<To>(), law.template cast<To>()};
  }
  JointLimits described() const { return law.described(JointLimits{}); }
  const char* parameters() const { return "upper"; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    JointEnds<Space>::visit_ends(self, visit);
    StopLaw<Space>::parts(self.law, visit);
  }
};

}  // namespace hamiltree
