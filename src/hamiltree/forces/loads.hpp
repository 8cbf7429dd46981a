// Loads: what gravity, springs, dampers and actuators do to the bodies and joints of a System, and
// the potential energy of those that have one.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/actuator.hpp"
#include "hamiltree/forces/gravity.hpp"
#include "hamiltree/forces/joint_spring.hpp"
#include "hamiltree/forces/point_spring.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

template <class Space>
struct Loads {
  std::vector<typename Space::Force> body;     // world axes, at each body's origin
  std::vector<typename Space::Scalar> effort;  // N m or N along each joint written with one dof

  explicit Loads(const System<Space>& system)
      : body(system.bodies.size(), Space::Force::Zero()),
        effort(system.joints.size(), typename Space::Scalar(0)) {}
};

// Poses must be placed and velocities moved; q are the state's coordinates.
template <class Space>
void evaluate_loads(const System<Space>& system, const Kinematics<Space>& kin,
                    const typename Space::Scalar& t, const typename Space::Scalar* q,
                    Loads<Space>& loads) {
  using Scalar = typename Space::Scalar;
  for (auto& effort : loads.effort) effort = Scalar(0);
  for (int b = 0; b < system.body_count(); ++b) {
    loads.body[at(b)] = gravity_load(system, kin, b);
  }
  for (const auto& spring : system.joint_springs) {
    const auto x = joint_position(system, kin, q, spring.joint);
    const auto x_dot = joint_rate(system, kin, spring.joint);
    apply_effort(system, kin, spring.joint, spring_effort(spring, x, x_dot), loads);
  }
  for (const auto& actuator : system.actuators) {
    apply_effort(system, kin, actuator.joint, actuator_effort<Space>(actuator, t), loads);
  }
  for (const auto& spring : system.point_springs) apply_point_spring(spring, kin, loads);
}

// J; poses must be placed.
template <class Space>
typename Space::Scalar potential_energy(const System<Space>& system, const Kinematics<Space>& kin,
                                        const typename Space::Scalar* q) {
  typename Space::Scalar energy(0);
  for (int b = 0; b < system.body_count(); ++b) energy += gravity_energy(system, kin, b);
  for (const auto& spring : system.joint_springs) {
    energy += spring_energy(spring, joint_position(system, kin, q, spring.joint));
  }
  for (const auto& spring : system.point_springs) energy += point_spring_energy(spring, kin);
  return energy;
}

// False when dampers, actuators or drives take or give energy.
template <class Space>
bool is_conservative(const System<Space>& system) {
  if (!system.drives.empty()) return false;
  for (const auto& spring : system.joint_springs) {
    if (spring.damping != 0.0) return false;
  }
  for (const auto& spring : system.point_springs) {
    if (spring.damping != 0.0) return false;
  }
  for (const auto& actuator : system.actuators) {
    if (actuator.constant != 0.0 || actuator.amplitude != 0.0) return false;
  }
  return true;
}

}  // namespace hamiltree
