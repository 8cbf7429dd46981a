// Elastic stop of a spherical joint: of the angle s of its whole turn, 0 to pi, about its axis u,
// as MuJoCo's balls have. With w the angular velocity of the child as seen by the parent,
//   x = s - at,   xdot = u w
//   moment on the child = -u times what a stop pushes, see stop_push.hpp
#pragma once

#include <array>
#include <cmath>

#include "hamiltree/forces/stop_push.hpp"
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
  const Scalar x = passed_by(stop.law, turn.s);
  if (is_free_of_stop(x)) return;
  const auto V = unrotate<Space>(X_Wa.R, motion_between(stop, X_Wb.r, now.kin));
  const auto push = push_of(stop.law, x, Scalar(turn.u.dot(angular<Space>(V))));
  const auto about = [&](const Scalar& moment) {
    return stack<Space>(Space::Position::Zero(), Angular(-moment * turn.u));
  };
  sink.pair(stop.body_a, stop.body_b, X_Wb.r,
            std::array{ForcePart<Force>{ForceKind::kConservative, about(push.spring)},
                       ForcePart<Force>{ForceKind::kDissipative, about(push.damper)}},
            [&, &R = X_Wa.R](const Force& F) { return rotate<Space>(R, F); });
}

template <class Space>
typename Space::Scalar stored_energy(const BallStop<Space>& stop, const Instant<Space>& now) {
  const auto turn = turn_of<Space>(frames_of(stop, now.kin).X_ab.R);
  return stored_at(stop.law, by_angle<Space>(turn).s);
}

template <class Space>
bool is_conservative(const BallStop<Space>& stop) {
  return stop.law.damping == 0.0;
}

}  // namespace hamiltree
