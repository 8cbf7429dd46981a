// Friction in a joint with several degrees of freedom: that of friction.hpp about each axis of the
// child's frame of a spherical joint, and along each axis of the parent's frame of a free one, too,
// as MuJoCo has it. With V the velocity of b's origin against the point of body a that is there,
// and w the angular velocity of b against a,
//   moment_i = -c tanh(w_i / v) - d w_i        in the axes of b
//   force_i  = -c tanh(V_i / v) - d V_i        in the axes of a, on b at its origin
#pragma once

#include <array>
#include <functional>

#include "hamiltree/forces/friction.hpp"
#include "hamiltree/forces/two_frames.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

template <class Space, class Sink>
void exert(const BodyFriction<Space>& friction, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  using Force = typename Space::Force;
  const auto frames = frames_of(friction, now.kin);
  const auto &X_Wa = frames.X_Wa, &X_Wb = frames.X_Wb;
  const auto V = motion_between(friction, X_Wb.r, now.kin);
  const auto against = [&](auto rates) {
    for (Scalar& component : rates) component = friction_at(friction, Scalar(component));
    return rates;
  };
  typename Space::Position force = Space::Position::Zero();
  if (friction.slides) {
    const typename Space::Position slip = X_Wa.R.transpose() * linear<Space>(V);
    force = X_Wa.R * against(slip);
  }
  const typename Space::Angular turn = Space::unrotate_angular(X_Wb.R, angular<Space>(V));
  const Force F = stack<Space>(force, Space::rotate_angular(X_Wb.R, against(turn)));
  sink.pair(friction.body_a, friction.body_b, X_Wb.r,
            std::array{ForcePart<Force>{ForceKind::kDissipative, F}}, std::identity());
}

template <class Space>
bool is_conservative(const BodyFriction<Space>& friction) {
  return friction.coulomb == 0.0 && friction.viscous == 0.0;
}

}  // namespace hamiltree
