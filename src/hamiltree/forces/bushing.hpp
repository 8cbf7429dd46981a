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
#include <cmath>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"
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

// s u: with n u = axial(R - R^T) / 2, n = sin s; by the series of s / n where n is small.
template <class Space>
typename Space::Angular turn_of(const typename Space::Rotation& R) {
  using Scalar = typename Space::Scalar;
  using std::atan2;
  using std::sqrt;
  if constexpr (Space::kIsPlanar) {
    return typename Space::Angular(atan2(R(1, 0), R(0, 0)));
  } else {
    const Scalar half(0.5);
    const typename Space::Angular w(half * (R(2, 1) - R(1, 2)), half * (R(0, 2) - R(2, 0)),
                                    half * (R(1, 0) - R(0, 1)));
    const Scalar cosine = half * (R(0, 0) + R(1, 1) + R(2, 2) - Scalar(1));
    const Scalar square = w.dot(w);
    constexpr double kSmall = 1e-4;  // square^5 is below rounding
    const Scalar series =
        Scalar(1) + square * (Scalar(1.0 / 6) + square * (Scalar(3.0 / 40) +
                                                          square * (Scalar(5.0 / 112) +
                                                                    square * Scalar(35.0 / 1152))));
    // Where the other is taken nothing is divided by zero, nor does its derivative.
    const Scalar safe = select(square < Scalar(1e-40), Scalar(1e-40), square);
    const Scalar far =
        select(square < Scalar(kSmall), select(Scalar(0) < cosine, Scalar(1), safe), square);
    const Scalar n = sqrt(far);
    const Scalar ratio = atan2(n, cosine) / n;
    return w * select(square < Scalar(kSmall), select(Scalar(0) < cosine, series, ratio), ratio);
  }
}

// Frames a and b in the world, and b in a: by the difference of their origins, which keeps its
// digits far from the world's.
template <class Space>
struct BushingFrames {
  Pose<Space> X_Wa, X_Wb, X_ab;
};

template <class Space>
[[gnu::always_inline]] inline BushingFrames<Space> frames_of(const BodyBushing<Space>& bushing,
                                                             const Kinematics<Space>& kin) {
  const auto placed = [&](int body, const Pose<Space>& X) {
    return body == kNone ? X : kin.X_WB[at(body)] * X;
  };
  const auto X_Wa = placed(bushing.body_a, bushing.X_a), X_Wb = placed(bushing.body_b, bushing.X_b);
  return {X_Wa, X_Wb, {X_Wa.R.transpose() * X_Wb.R, X_Wa.R.transpose() * (X_Wb.r - X_Wa.r)}};
}

template <class Space, class Sink>
void exert(const BodyBushing<Space>& bushing, const Instant<Space>& now, Sink& sink) {
  using Force = typename Space::Force;
  const auto frames = frames_of(bushing, now.kin);
  const auto &X_Wa = frames.X_Wa, &X_Wb = frames.X_Wb, &X_ab = frames.X_ab;
  // Velocity of b's origin against the point of body a that is there: how r changes in a.
  const auto V =
      unrotate<Space>(X_Wa.R, typename Space::Motion(now.kin.velocity_at(bushing.body_b, X_Wb.r) -
                                                     now.kin.velocity_at(bushing.body_a, X_Wb.r)));
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
