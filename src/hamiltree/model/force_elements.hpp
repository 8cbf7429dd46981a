// All kinds of forces: ForceDescription, what a user says, and ForceElements<Space>, the same in a
// compiled mechanism as plain tables, names resolved to indices and points to the bodies' frames.
// Each kind has both in a file of forces/ beside this one; what they do is said in
// hamiltree/forces/.
#pragma once

#include <variant>
#include <vector>

#include "hamiltree/model/forces/actuator.hpp"
#include "hamiltree/model/forces/applied_wrench.hpp"
#include "hamiltree/model/forces/bushing.hpp"
#include "hamiltree/model/forces/callback.hpp"
#include "hamiltree/model/forces/curve_spring.hpp"
#include "hamiltree/model/forces/drag.hpp"
#include "hamiltree/model/forces/friction.hpp"
#include "hamiltree/model/forces/joint_spring.hpp"
#include "hamiltree/model/forces/joint_stop.hpp"
#include "hamiltree/model/forces/point_spring.hpp"
#include "hamiltree/model/forces/servo.hpp"
#include "hamiltree/model/forces/tendon_stop.hpp"

namespace hamiltree {

using ForceDescription =
    std::variant<JointSpringDamper, JointLimits, JointFriction, PointSpringDamper, TendonLimits,
                 Bushing, Actuator, Servo, AppliedWrench, Drag, CurveSpring, EffortCallback,
                 LoadCallback, Controller>;

template <class Space>
struct ForceElements {
  std::vector<JointSpring<Space>> joint_springs;
  std::vector<JointStop<Space>> joint_stops;
  std::vector<BallStop<Space>> ball_stops;
  std::vector<Friction<Space>> frictions;
  std::vector<BodyFriction<Space>> body_frictions;
  std::vector<PointSpring<Space>> point_springs;
  std::vector<TendonStop<Space>> tendon_stops;
  std::vector<RopeStop<Space>> rope_stops;
  std::vector<BodyBushing<Space>> bushings;
  std::vector<JointActuator<Space>> actuators;
  std::vector<JointServo<Space>> servos;
  std::vector<RopeServo<Space>> rope_servos;
  std::vector<BodyWrench<Space>> wrenches;
  std::vector<BodyDrag<Space>> drags;
  std::vector<JointCurveSpring<Space>> curve_springs;
  std::vector<JointCallback<Space>> joint_callbacks;
  std::vector<BodyCallback<Space>> body_callbacks;
  std::vector<ControlLaw<Space>> control_laws;

  // f(list) for the elements of each kind, or f(list, list) for those of two systems side by side.
  template <class F, class... Forces>
  static void for_each_list(const F& f, Forces&... of) {
    f(of.joint_springs...);
    f(of.joint_stops...);
    f(of.ball_stops...);
    f(of.frictions...);
    f(of.body_frictions...);
    f(of.point_springs...);
    f(of.tendon_stops...);
    f(of.rope_stops...);
    f(of.bushings...);
    f(of.actuators...);
    f(of.servos...);
    f(of.rope_servos...);
    f(of.wrenches...);
    f(of.drags...);
    f(of.curve_springs...);
    f(of.joint_callbacks...);
    f(of.body_callbacks...);
    f(of.control_laws...);
  }

  // f(element) for every one.
  template <class F>
  void for_each_force(const F& f) const {
    const auto all = [&](const auto& list) {
      for (const auto& element : list) f(element);
    };
    for_each_list(all, *this);
  }
  template <class F>
  void for_each_force(const F& f) {
    const auto all = [&](auto& list) {
      for (auto& element : list) f(element);
    };
    for_each_list(all, *this);
  }

  // Throws std::logic_error if there is a callback and To's scalar is not double.
  template <class To>
  ForceElements<To> cast_forces() const {
    ForceElements<To> result;
    const auto cast = [](const auto& from, auto& to) {
      for (const auto& element : from) to.push_back(element.template cast<To>());
    };
    for_each_list(cast, *this, result);
    return result;
  }
};

}  // namespace hamiltree
