// Actuator: an effort along a joint with one degree of freedom, given in time.
#pragma once

#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

template <class Space, class Now, class Sink>
void exert(const JointActuator<Space>& actuator, const Now& now, Sink& sink) {
  sink.effort(ForceKind::kApplied, actuator.joint, actuator.effort(now.t).value);
}

template <class Space>
bool is_conservative(const JointActuator<Space>& actuator) {
  return actuator.effort.is_zero();
}

}  // namespace hamiltree
