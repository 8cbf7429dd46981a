// Friction in a joint, described and in tables; its laws are in hamiltree/forces/friction.hpp and
// body_friction.hpp.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/forces/joint_ends.hpp"

namespace hamiltree {

// Friction in a joint with one degree of freedom:
// effort on the child = -coulomb tanh(qdot / velocity_scale) - viscous qdot;
// in a spherical joint the same about each axis of its child frame, in a free joint also along each
// axis of its parent frame.
struct JointFriction {
  std::string joint;
  double coulomb = 0.0;         // N m or N, >= 0
  double viscous = 0.0;         // N m s/rad or N s/m, >= 0
  double velocity_scale = 0.0;  // rad/s or m/s, > 0 where there is coulomb friction
  SourceLocation where;

  static constexpr const char* kTitle = "friction of joint";
  static constexpr const char* kClass = "JointFriction";
  static constexpr const char* kHelp =
      "effort = -coulomb tanh(q_dot / velocity_scale) - viscous q_dot; in a spherical joint about "
      "each axis of its child frame, in a free joint also along each axis of its parent frame.";
  // Beside those with one degree of freedom.
  static bool takes(JointType type) {
    return type == JointType::kSpherical || type == JointType::kFree;
  }
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.number("coulomb", self.coulomb, Range::kNotNegative);
    visit.number("viscous", self.viscous, Range::kNotNegative);
    visit.number("velocity_scale", self.velocity_scale, Range::kNotNegative);
  }
  bool uses_position() const { return false; }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    if (coulomb > 0.0 && !(velocity_scale > 0.0)) {
      refuse("coulomb friction needs a velocity_scale above 0, it is " + to_text(velocity_scale),
             "velocity_scale");
    }
  }

  template <class Tables>
  void compile(const Tables& to) const {
    const double scale = coulomb > 0.0 ? velocity_scale : 1.0;
    if (const auto type = to.type(joint); takes(type)) {
      to.system.body_frictions.push_back(
          {to.ends(joint), type == JointType::kFree, coulomb, viscous, scale});
    } else {
      to.system.frictions.push_back({to.joint(joint), coulomb, viscous, scale});
    }
  }
};

template <class Space>
struct Friction {
  int joint = 0;
  typename Space::Scalar coulomb{0}, viscous{0}, velocity_scale{1};

  template <class To>
  Friction<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, Other(coulomb), Other(viscous), Other(velocity_scale)};
  }
  const char* parameters() const { return "friction"; }
  JointFriction described() const { return {{}, coulomb, viscous, velocity_scale, {}}; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kRate);
    visit.number("coulomb", self.coulomb);
    visit.number("viscous", self.viscous);
    visit.number("velocity_scale", self.velocity_scale);
  }
};

// The same about every axis of a spherical joint, and along every axis of a free one.
template <class Space>
struct BodyFriction : JointEnds<Space> {
  bool slides = false;
  typename Space::Scalar coulomb{0}, viscous{0}, velocity_scale{1};

  template <class To>
  BodyFriction<To> cast() const {
    using Other = typename To::Scalar;
    return {this->template cast_ends<To>(), slides, Other(coulomb), Other(viscous),
            Other(velocity_scale)};
  }
  const char* parameters() const { return "friction"; }
  JointFriction described() const { return {{}, coulomb, viscous, velocity_scale, {}}; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    JointEnds<Space>::visit_ends(self, visit);
    visit.number("coulomb", self.coulomb);
    visit.number("viscous", self.viscous);
    visit.number("velocity_scale", self.velocity_scale);
  }
};

}  // namespace hamiltree
