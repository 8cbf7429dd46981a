// Elastic stop of a spherical joint: of the angle s of its whole turn, 0 to pi, about its axis u,
// as MuJoCo's balls have. With w the angular velocity of the child as seen by the parent,
//   x = s - at,   xdot = u w
//   moment on the child = -u times what a stop pushes, see joint_stop.hpp
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "hamiltree/forces/joint_stop.hpp"
#include "hamiltree/forces/two_frames.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// s and u, in the axes of frame a. Without a turn u is some vector of at most unit length.
template <class Space>
struct TurnByAngle {
  typename Space::Scalar s;
  typename Space::Angular u;
};

template <class Space>
TurnByAngle<Space> by_angle(const typename Space::Angular& turn) {
  using Scalar = typename Space::Scalar;
  using std::sqrt;
  const Scalar square = turn.dot(turn);
  const Scalar tiny(1e-40);
  const Scalar s = sqrt(select(square < tiny, tiny, square));
  return {s, turn / s};
}

template <class Space, class Sink>
void exert(const BallStop<Space>& stop, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  using Force = typename Space::Force;
  using Angular = typename Space::Angular;
  const auto [X_Wa, X_Wb, X_ab] = frames_of(stop, now.kin);
  const auto turn = by_angle<Space>(turn_of<Space>(X_ab.R));
  const Scalar x = turn.s - stop.at;
  if constexpr (std::is_floating_point_v<Scalar>) {
    if (x <= 0) return;  // as most stops, most of the time
  }
  const auto V =
      unrotate<Space>(X_Wa.R, typename Space::Motion(now.kin.velocity_at(stop.body_b, X_Wb.r) -
                                                     now.kin.velocity_at(stop.body_a, X_Wb.r)));
  const Scalar xdot = turn.u.dot(angular<Space>(V));
  const auto push = push_of(stop, x, xdot);
  const auto about = [&](const Scalar& moment) {
    return stack<Space>(Space::Position::Zero(), Angular(-moment * turn.u));
  };
  sink.pair(stop.body_a, stop.body_b, X_Wb.r,
            std::array{ForcePart<Force>{ForceKind::kConservative, about(push.spring)},
                       ForcePart<Force>{ForceKind::kDissipative, about(push.damper)}},
            [&, &R = X_Wa.R](const Force& F) { return rotate<Space>(R, F); });
}

// V = k times the integral of r
template <class Space>
typename Space::Scalar stored_energy(const BallStop<Space>& stop, const Instant<Space>& now) {
  using Scalar = typename Space::Scalar;
  const auto turn = turn_of<Space>(frames_of(stop, now.kin).X_ab.R);
  const Scalar x = by_angle<Space>(turn).s - stop.at;
  return stop.stiffness * ramp<Scalar>(x, stop.transition).integral;
}

template <class Space>
bool is_conservative(const BallStop<Space>& stop) {
  return stop.damping == 0.0;
}

}  // namespace hamiltree
