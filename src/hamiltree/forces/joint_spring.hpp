// Spring and damper along a joint with one degree of freedom.
#pragma once

#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

// effort = -k (x - rest) - d xdot
template <class Space, class Now, class Sink>
void exert(const JointSpring<Space>& spring, const Now& now, Sink& sink) {
  const int j = spring.joint;
  sink.effort(ForceKind::kConservative, j, -(spring.stiffness * (now.position(j) - spring.rest)));
  sink.effort(ForceKind::kDissipative, j, -(spring.damping * now.rate(j)));
}

// V = k (x - rest)^2 / 2
template <class Space, class Now>
typename Space::Scalar stored_energy(const JointSpring<Space>& spring, const Now& now) {
  const typename Space::Scalar stretch = now.position(spring.joint) - spring.rest;
  return typename Space::Scalar(0.5) * spring.stiffness * stretch * stretch;
}

template <class Space>
bool is_conservative(const JointSpring<Space>& spring) {
  return spring.damping == 0.0;
}

}  // namespace hamiltree
