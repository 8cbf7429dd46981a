// Bushing: springs and dampers in every direction between a frame a and a frame b. With r the
// origin of b and R its axes as seen in a, and w and rdot their rates there,
//   V      = r^T K r / 2 + tr(G (I - R)) / 2      G = tr(K_r) I - 2 K_r
//   force  = -K r - D rdot                        on b at its origin, along the axes of a
//   moment = -axial(R G - G R^T) / 2 - D_r w
// The second part of V is 2 e^T K_r e, with e the vector part of R's unit quaternion: a turn by
// an angle s about one axis stores k (1 - cos s) and asks for k sin s. So it is smooth for every
// rotation, never negative, and for small ones the spring k s that its name says. Beside it, where
// asked for, a spring by the angle s of the whole turn, 0 to pi, about its axis u: V = k s^2 / 2,
// moment = -k s u, as MuJoCo's ball joints have. It is not smooth at half a turn, where u is lost.
// And a spring about each axis of a, as MuJoCo's cables have,
//   moment = -K_t (s u - rest)
// It has no potential: where its three numbers differ, a turn that ends where it began takes or
// gives energy, of third order in the angles. So its work is accounted for as that of a motor.
#pragma once

#include <array>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/forces/two_frames.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// axial(R G - G R^T) / 2
template <class Space>
typename Space::Angular restoring_moment(const typename Space::Angular& k,
                                         const typename Space::Rotation& R) {
  using Scalar = typename Space::Scalar;
  if constexpr (Space::kIsPlanar) {
    return typename Space::Angular(k(0) * R(1, 0));
  } else {
    const typename Space::Angular g = Space::Angular::Constant(k.sum()) - Scalar(2) * k;
    const auto half = [&](int i, int j) { return Scalar(0.5) * (R(i, j) * g(j) - g(i) * R(j, i)); };
    return {half(2, 1), half(0, 2), half(1, 0)};
  }
}

// tr(G (I - R)) / 2
template <class Space>
typename Space::Scalar turning_energy(const typename Space::Angular& k,
                                      const typename Space::Rotation& R) {
  using Scalar = typename Space::Scalar;
  if constexpr (Space::kIsPlanar) {
    return k(0) * (Scalar(1) - R(0, 0));
  } else {
    Scalar energy(0);
    for (int i = 0; i < 3; ++i) {
      energy += Scalar(0.5) * (k.sum() - Scalar(2) * k(i)) * (Scalar(1) - R(i, i));
    }
    return energy;
  }
}

template <class Space, class Sink>
void exert(const BodyBushing<Space>& bushing, const Instant<Space>& now, Sink& sink) {
  using Force = typename Space::Force;
  const auto frames = frames_of(bushing, now.kin);
  const auto &X_Wa = frames.X_Wa, &X_Wb = frames.X_Wb, &X_ab = frames.X_ab;
  // Velocity of b's origin against the point of body a that is there: how r changes in a.
  const auto V = unrotate<Space>(X_Wa.R, motion_between(bushing, X_Wb.r, now.kin));
  typename Space::Angular moment = -restoring_moment<Space>(bushing.rotational_stiffness, X_ab.R);
  if (bushing.angle_stiffness) moment -= *bushing.angle_stiffness * turn_of<Space>(X_ab.R);
  const auto exert_parts = [&](const auto& parts) {
    sink.pair(bushing.body_a, bushing.body_b, X_Wb.r, parts,
              [&](const Force& F) { return rotate<Space>(X_Wa.R, F); });
  };
  exert_parts(std::array{
      ForcePart<Force>{ForceKind::kConservative,
                       stack<Space>(-bushing.stiffness.cwiseProduct(X_ab.r), moment)},
      ForcePart<Force>{ForceKind::kDissipative,
                       stack<Space>(-bushing.damping.cwiseProduct(linear<Space>(V)),
                                    -bushing.rotational_damping.cwiseProduct(angular<Space>(V)))}});
  if (!bushing.has_turn_spring) return;
  exert_parts(std::array{ForcePart<Force>{
      ForceKind::kApplied,
      stack<Space>(Space::Position::Zero(), -bushing.turn_stiffness.cwiseProduct(
                                                turn_of<Space>(X_ab.R) - bushing.rest_turn))}});
}

template <class Space>
typename Space::Scalar stored_energy(const BodyBushing<Space>& bushing, const Instant<Space>& now) {
  using Scalar = typename Space::Scalar;
  const auto X_ab = frames_of(bushing, now.kin).X_ab;
  const Scalar energy = Scalar(0.5) * X_ab.r.dot(bushing.stiffness.cwiseProduct(X_ab.r)) +
                        turning_energy<Space>(bushing.rotational_stiffness, X_ab.R);
  if (!bushing.angle_stiffness) return energy;
  const auto turn = turn_of<Space>(X_ab.R);
  return energy + Scalar(0.5) * *bushing.angle_stiffness * turn.dot(turn);
}

template <class Space>
bool is_conservative(const BodyBushing<Space>& bushing) {
  return bushing.damping.isZero(0.0) && bushing.rotational_damping.isZero(0.0) &&
         !bushing.has_turn_spring;
}

}  // namespace hamiltree
