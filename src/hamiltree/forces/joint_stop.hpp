// Elastic stop at one end of the way of a joint with one degree of freedom: the push of
// stop_push.hpp, back along it.
#pragma once

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/forces/stop_push.hpp"

namespace hamiltree {

template <class Space, class Now, class Sink>
void exert(const JointStop<Space>& stop, const Now& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const Scalar x = passed_by(stop.law, now.position(stop.joint));
  if (is_free_of_stop(x)) return;
  const Scalar side(stop.law.side);
  const auto push = push_of(stop.law, x, Scalar(side * now.rate(stop.joint)));
  sink.effort(ForceKind::kConservative, stop.joint, -(side * push.spring));
  sink.effort(ForceKind::kDissipative, stop.joint, -(side * push.damper));
}

template <class Space, class Now>
typename Space::Scalar stored_energy(const JointStop<Space>& stop, const Now& now) {
  return stored_at(stop.law, now.position(stop.joint));
}

template <class Space>
bool is_conservative(const JointStop<Space>& stop) {
  return stop.law.damping == 0.0;
}

}  // namespace hamiltree
