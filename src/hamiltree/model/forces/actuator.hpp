// An effort along a joint, given in time, described and in tables; see
// hamiltree/forces/actuator.hpp.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/time_function.hpp"

namespace hamiltree {

// An actuator on a joint with one degree of freedom.
struct Actuator {
  std::string name;
  std::string joint;
  TimeFunction effort = Sine{};  // on the child, N m or N
  SourceLocation where;

  static constexpr const char* kType = "actuator";
  static constexpr const char* kClass = "Actuator";
  static constexpr const char* kHelp =
      "An effort on the child of a joint, given in time; N m or N.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.joint("joint", self.joint);
    visit.function("effort", self.effort, Need::kRequired);
  }
  bool uses_position() const { return false; }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.actuators.push_back({to.joint(joint), PiecewiseSine(effort)});
  }
};

template <class Space>
struct JointActuator {
  int joint = 0;
  PiecewiseSine effort;

  template <class To>
  JointActuator<To> cast() const {
    return {joint, effort};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.joint(self.joint, Uses::kRate);
  }
};

}  // namespace hamiltree
