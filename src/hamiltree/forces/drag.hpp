// Drag of a medium. With V the velocity of the frame's origin against the medium and w the body's
// angular velocity, in the axes of the frame,
//   force_i  = -d_i V_i - c_i |V_i| V_i        i = x, y, z
//   moment_i = -e_i w_i - f_i |w_i| w_i
// A medium at rest only takes energy; one that moves may also give it.
#pragma once

#include <array>
#include <functional>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

template <class Vector>
Vector drag_against(const Vector& damping, const Vector& drag, const Vector& rates) {
  using Scalar = typename Vector::Scalar;
  Vector result;
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    const Scalar& rate = rates(i);
    const Scalar size = select(Scalar(0) < rate, rate, Scalar(-rate));
    result(i) = -((damping(i) + drag(i) * size) * rate);
  }
  return result;
}

template <class Space, class Sink>
void exert(const BodyDrag<Space>& drag, const Instant<Space>& now, Sink& sink) {
  using Position = typename Space::Position;
  using Angular = typename Space::Angular;
  const auto X = now.kin.pose(drag.body) * drag.X;
  const typename Space::Motion V = now.kin.velocity_at(drag.body, X.r);
  const Position slip = X.R.transpose() * (linear<Space>(V) - drag.medium_velocity);
  const Angular turn = Space::unrotate_angular(X.R, angular<Space>(V));
  const auto F =
      stack<Space>(drag_against<Position>(drag.damping, drag.drag, slip),
                   drag_against<Angular>(drag.rotational_damping, drag.rotational_drag, turn));
  sink.pair(kNone, drag.body, X.r,
            std::array{ForcePart<typename Space::Force>{
                drag.flows ? ForceKind::kApplied : ForceKind::kDissipative, rotate<Space>(X.R, F)}},
            std::identity());
}

template <class Space>
bool is_conservative(const BodyDrag<Space>& drag) {
  return drag.damping.isZero(0.0) && drag.rotational_damping.isZero(0.0) && drag.drag.isZero(0.0) &&
         drag.rotational_drag.isZero(0.0);
}

}  // namespace hamiltree
