// Friction in a joint, described and in tables; its law is in hamiltree/forces/friction.hpp.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/forces/fields.hpp"

namespace hamiltree {

// Friction in a joint with one degree of freedom:
// effort on the child = -coulomb tanh(qdot / velocity_scale) - viscous qdot.
struct JointFriction {
  std::string joint;
  double coulomb = 0.0;         // N m or N, >= 0
  double viscous = 0.0;         // N m s/rad or N s/m, >= 0
  double velocity_scale = 0.0;  // rad/s or m/s, > 0 where there is coulomb friction
  SourceLocation where;

  static constexpr const char* kTitle = "friction of joint";
  static constexpr const char* kClass = "JointFriction";
  static constexpr const char* kHelp =
      "effort = -coulomb tanh(q_dot / velocity_scale) - viscous q_dot";
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
      refuse("velocity_scale must be positive, it is " + to_text(velocity_scale), "velocity_scale");
    }
  }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.frictions.push_back(
        {to.joint(joint), coulomb, viscous, coulomb > 0.0 ? velocity_scale : 1.0});
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

}  // namespace hamiltree
