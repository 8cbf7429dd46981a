// Friction in a joint with one degree of freedom: Coulomb's, made smooth around rest, and viscous.
// A joint under load creeps where Coulomb's law would hold it.
#pragma once

#include <cmath>

#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

// effort = -c tanh(xdot / v) - d xdot
template <class Space, class Now, class Sink>
void exert(const Friction<Space>& friction, const Now& now, Sink& sink) {
  using std::tanh;
  using Scalar = typename Space::Scalar;
  const Scalar rate = now.rate(friction.joint);
  const Scalar slip = rate / friction.velocity_scale;
  sink.effort(ForceKind::kDissipative, friction.joint,
              -(friction.coulomb * tanh(slip)) - friction.viscous * rate);
}

template <class Space>
bool is_conservative(const Friction<Space>& friction) {
  return friction.coulomb == 0.0 && friction.viscous == 0.0;
}

}  // namespace hamiltree
