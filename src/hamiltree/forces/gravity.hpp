// Gravity: a uniform field acting at the centre of mass of every body.
#pragma once

#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

// World axes, at the origin of the body's frame: [m g; (R c) x m g].
template <class Space>
typename Space::Force gravity_load(const System<Space>& system, const Kinematics<Space>& kin,
                                   int body) {
  const auto& inertia = system.body(body);
  const typename Space::Position weight = inertia.mass * system.gravity;
  return stack<Space>(weight, Space::moment(kin.pose(body).R * inertia.com, weight));
}

// V = -m g . r_com, zero at the world's origin
template <class Space>
typename Space::Scalar gravity_energy(const System<Space>& system, const Kinematics<Space>& kin,
                                      int body) {
  const auto& inertia = system.body(body);
  const typename Space::Position com = kin.pose(body) * inertia.com;
  return -(inertia.mass * system.gravity.dot(com));
}

}  // namespace hamiltree
