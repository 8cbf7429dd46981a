// Spring and damper along a joint, described and in tables; its law is in
// hamiltree/forces/joint_spring.hpp.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"

namespace hamiltree {

// A spring and a damper along a joint with one degree of freedom:
// effort on the child = -stiffness (q - rest) - damping qdot.
struct JointSpringDamper {
  std::string joint;
  double stiffness = 0.0;  // N m/rad or N/m, >= 0
  double rest = 0.0;       // rad or m
  double damping = 0.0;    // N m s/rad or N s/m, >= 0
  SourceLocation where;

  static constexpr const char* kTitle = "spring and damper of joint";
  static constexpr const char* kClass = "JointSpringDamper";
  static constexpr const char* kHelp =
      "effort = -stiffness (q - rest) - damping q_dot, along a joint with one degree of freedom; "
      "N m/rad or N/m, N m s/rad or N s/m";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.number("stiffness", self.stiffness, Range::kNotNegative);
    visit.number("rest", self.rest, Range::kAny);
    visit.number("damping", self.damping, Range::kNotNegative);
  }
  bool uses_position() const { return stiffness > 0.0; }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.joint_springs.push_back({to.joint(joint), stiffness, rest, damping});
  }
};

template <class Space>
struct JointSpring {
  int joint = 0;
  typename Space::Scalar stiffness{0}, rest{0}, damping{0};

  template <class To>
  JointSpring<To> cast() const {
    using Other = typename To::Scalar;
    return {joint, Other(stiffness), Other(rest), Other(damping)};
  }
  const char* parameters() const { return "spring"; }
  JointSpringDamper described() const { return {{}, stiffness, rest, damping, {}}; }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kPosition);
    visit.number("stiffness", self.stiffness);
    visit.number("rest", self.rest);
    visit.number("damping", self.damping);
  }
};

}  // namespace hamiltree
