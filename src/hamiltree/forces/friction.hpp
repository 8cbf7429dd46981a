// Friction in a joint with one degree of freedom: Coulomb's, made smooth around rest, and viscous.
// A joint under load creeps where Coulomb's law would hold it.
#pragma once

#include <cmath>
#include <type_traits>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/quick_tanh.hpp"

namespace hamiltree {

// tanh, of doubles the quick one. Duals, traces and counts know tanh itself.
template <class Scalar>
Scalar smooth_sign(const Scalar& slip) {
  using std::tanh;
  if constexpr (std::is_same_v<Scalar, double>) {
    return quick_tanh(slip);
  } else {
    return tanh(slip);
  }
}

// effort = -c tanh(xdot / v) - d xdot
template <class Element, class Scalar>
Scalar friction_at(const Element& friction, const Scalar& rate) {
  Scalar effort = -(friction.viscous * rate);
  const auto add_coulomb = [&] {
    effort -= friction.coulomb * smooth_sign(Scalar(rate / friction.velocity_scale));
  };
  if constexpr (std::is_floating_point_v<Scalar>) {
    if (friction.coulomb != 0) add_coulomb();
  } else {
    add_coulomb();
  }
  return effort;
}

template <class Space, class Now, class Sink>
void exert(const Friction<Space>& friction, const Now& now, Sink& sink) {
  const int j = friction.joint;
  sink.effort(ForceKind::kDissipative, j, friction_at(friction, now.rate(j)));
}

template <class Space>
bool is_conservative(const Friction<Space>& friction) {
  return friction.coulomb == 0.0 && friction.viscous == 0.0;
}

}  // namespace hamiltree
