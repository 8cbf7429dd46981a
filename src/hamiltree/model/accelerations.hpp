// Accelerations at known velocities. They are spatial: the rate at which the motion of a body, seen
// at a point fixed in the world, changes. So they move between points and frames as motions do.
#pragma once

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

// gamma: what A_child - A_parent of a joint is without v_dot, world axes at O.
//   (1)  A_child - A_parent = H v_dot + gamma
//   (2)  gamma = V_J x (V_child - V_parent) + Omega_dot
//   (3)  Omega_dot = X_JF Vdot_F - (V_J - V_F) x Omega_t        component by component in J
// with F the driven frame and V_F its motion. Velocities must be moved.
template <class Space>
typename Space::Motion bias_acceleration(const System<Space>& system, const Kinematics<Space>& kin,
                                         int j) {
  const auto& joint = system.joint(j);
  const auto V_J = frame_motion(system, kin, j);
  // (2)
  typename Space::Motion gamma = cross_motion<Space>(V_J, relative_motion(system, kin, j));
  if (joint.drive == kNone) return gamma;
  // (3)
  const auto Omega = prescribed_motion(system, kin, j);
  const typename Space::Motion V_F = kin.velocity_at(joint.parent, kin.origin(j)) + Omega;
  gamma += prescribed_rate(system, kin, j);
  gamma -= cross_motion<Space>(V_J - V_F, Omega);
  return gamma;
}

// -V x* P: what the momentum of a body asks for by turning with it, world axes at its origin.
template <class Space>
typename Space::Force gyroscopic_load(const System<Space>& system, const Kinematics<Space>& kin,
                                      int b) {
  return -cross_force<Space>(kin.velocity(b), body_momentum(system, kin, b));
}

}  // namespace hamiltree
