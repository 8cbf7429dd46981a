// Actuator: a constant plus a sinusoidal effort along a joint with one degree of freedom.
#pragma once

#include <cmath>

#include "hamiltree/forces/joint_effort.hpp"

namespace hamiltree {

// effort = constant + amplitude sin(omega t + phase)
template <class Space>
typename Space::Scalar actuator_effort(const JointActuator<Space>& actuator,
                                       const typename Space::Scalar& t) {
  using std::sin;
  return actuator.constant + actuator.amplitude * sin(actuator.omega * t + actuator.phase);
}

}  // namespace hamiltree
