// SolvedInstant: an instant at which the velocities of the tree's joints are known.
#pragma once

#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

template <class Space>
struct SolvedInstant : Instant<Space> {
  using Scalar = typename Space::Scalar;

  const Scalar* v;

  Scalar rate(int j) const {
    const auto& joint = this->system.joint(j);
    return joint.has_velocity() ? v[joint.v] : Instant<Space>::rate(j);
  }
  void velocities(int j, Scalar* u) const {
    const auto& joint = this->system.joint(j);
    if (!joint.has_velocity()) return Instant<Space>::velocities(j, u);
    for (int i = 0; i < joint.velocities; ++i) u[i] = v[joint.v + i];
  }
};

}  // namespace hamiltree
