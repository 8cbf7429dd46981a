// Spring and damper along a rope over points, of two in the simplest case.
#pragma once

#include "hamiltree/forces/rope.hpp"

namespace hamiltree {

// How much longer than rest_length the rope is; if it may be slack, it is shorter only beyond that.
template <class Space>
typename Space::Scalar stretch_of(const PointSpring<Space>& spring,
                                  const typename Space::Scalar& length) {
  using Scalar = typename Space::Scalar;
  const Scalar beyond = length - spring.rest_length;
  if (!spring.slack) return beyond;
  const Scalar below = beyond + *spring.slack;
  return select(Scalar(0) < beyond, beyond, select(below < Scalar(0), below, Scalar(0)));
}

// tension = k stretch + d d(length)/dt
template <class Space, class Sink>
void exert(const PointSpring<Space>& spring, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  pull_rope(spring.path, now, sink, [&](const Scalar& length, const Scalar& rate) {
    return std::array{
        ForcePart<Scalar>{ForceKind::kConservative, spring.stiffness * stretch_of(spring, length)},
        ForcePart<Scalar>{ForceKind::kDissipative, spring.damping * rate}};
  });
}

// V = k stretch^2 / 2
template <class Space>
typename Space::Scalar stored_energy(const PointSpring<Space>& spring, const Instant<Space>& now) {
  const auto stretch = stretch_of(spring, rope_length(spring.path, now.kin));
  return typename Space::Scalar(0.5) * spring.stiffness * stretch * stretch;
}

template <class Space>
bool is_conservative(const PointSpring<Space>& spring) {
  return spring.damping == 0.0;
}

}  // namespace hamiltree
