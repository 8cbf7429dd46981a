// Spring and damper along a joint with one degree of freedom.
#pragma once

#include "hamiltree/forces/joint_effort.hpp"

namespace hamiltree {

// effort = -k (x - rest) - d xdot
template <class Space>
typename Space::Scalar spring_effort(const JointSpring<Space>& spring,
                                     const typename Space::Scalar& x,
                                     const typename Space::Scalar& x_dot) {
  return -(spring.stiffness * (x - spring.rest)) - spring.damping * x_dot;
}

// V = k (x - rest)^2 / 2
template <class Space>
typename Space::Scalar spring_energy(const JointSpring<Space>& spring,
                                     const typename Space::Scalar& x) {
  const typename Space::Scalar stretch = x - spring.rest;
  return typename Space::Scalar(0.5) * spring.stiffness * stretch * stretch;
}

}  // namespace hamiltree
