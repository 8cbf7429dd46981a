// A motor with feedback on joints or on a rope, described and in tables; its law is in
// hamiltree/forces/servo.hpp.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/forces/joint_share.hpp"
#include "hamiltree/model/forces/rope.hpp"
#include "hamiltree/model/time_function.hpp"

namespace hamiltree {

template <class Space>
struct ServoLaw;
template <class Space>
struct JointServo;

// A motor with feedback on a joint with one degree of freedom, or on several that a tendon over
// pulleys pulls together. With x = sum of ratio q over its joints,
//   effort = effort(t) - stiffness x - damping xdot, held between lower and upper,
// and the child of each joint feels its ratio times the effort. Or on a rope over points instead,
// of which x is the length and the effort what makes it longer.
struct Servo {
  std::string name;
  std::vector<std::string> joints;
  std::vector<double> ratios;             // of each joint
  TimeFunction effort = Sine{};           // N m or N
  double stiffness = 0.0, damping = 0.0;  // of either sign: what amplifies is a motor, too
  std::optional<double> lower, upper;     // N m or N
  SourceLocation where;
  std::vector<RopePoint> points = {};  // instead of joints

  static constexpr const char* kType = "servo";
  static constexpr const char* kClass = "Servo";
  static constexpr const char* kHelp =
      "A motor with feedback on joints with one degree of freedom: with x = sum of ratio q over "
      "them, effort = effort(t) - stiffness x - damping x_dot, held between lower and upper; each "
      "joint feels its ratio times the effort. N m or N. Without ratios all are 1. Or on a rope "
      "over points, as of a PointSpringDamper: x is its length, and the effort makes it longer.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.pulled(self.joints, self.ratios, self.points);
    visit.function("effort", self.effort, Need::kOptional);
    visit.number("stiffness", self.stiffness, Range::kAny);
    visit.number("damping", self.damping, Range::kAny);
    visit.number("lower", self.lower, Range::kAny);
    visit.number("upper", self.upper, Range::kAny);
  }
  bool uses_position() const { return stiffness != 0.0; }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    if (lower && upper && !(*lower <= *upper)) {
      refuse(
          "lower must not be above upper, but " + to_text(*lower) + " is above " + to_text(*upper),
          "lower");
    }
  }

  template <class Tables>
  void compile(const Tables& to) const {
    using Space = typename Tables::In;
    const ServoLaw<Space> law{PiecewiseSine(effort), stiffness, damping, lower, upper};
    if (!points.empty()) {
      to.system.rope_servos.push_back({to.path(points), law});
      return;
    }
    JointServo<Space> servo{{}, law};
    for (std::size_t i = 0; i < joints.size(); ++i) {
      servo.shares.push_back({to.joint(joints[i]), ratios[i]});
    }
    to.system.servos.push_back(std::move(servo));
  }
};

template <class Space>
struct ServoLaw {
  using Scalar = typename Space::Scalar;
  PiecewiseSine effort;
  Scalar stiffness{0}, damping{0};
  std::optional<Scalar> lower, upper;

  template <class To>
  ServoLaw<To> cast() const {
    using Other = typename To::Scalar;
    return {effort, Other(stiffness), Other(damping), cast_optional<To>(lower),
            cast_optional<To>(upper)};
  }
  Servo described() const { return {{}, {}, {}, {}, stiffness, damping, lower, upper, {}}; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.number("stiffness", self.stiffness);
    visit.number("damping", self.damping);
    visit.number("lower", self.lower);
    visit.number("upper", self.upper);
  }
};

template <class Space>
struct JointServo {
  std::vector<JointShare> shares;
  ServoLaw<Space> law;

  template <class To>
  JointServo<To> cast() const {
    return {shares, law.template cast<To>()};
  }
  const char* parameters() const { return "servo"; }
  Servo described() const { return law.described(); }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    for (auto& share : self.shares) visit.joint(share.joint, Uses::kPosition);
    ServoLaw<Space>::parts(self.law, visit);
  }
};

template <class Space>
struct RopeServo {
  Path<Space> path;
  ServoLaw<Space> law;

  template <class To>
  RopeServo<To> cast() const {
    return {cast_path<To, Space>(path), law.template cast<To>()};
  }
  const char* parameters() const { return "rope_servo"; }
  Servo described() const { return law.described(); }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.path(self.path);
    ServoLaw<Space>::parts(self.law, visit);
  }
};

}  // namespace hamiltree
