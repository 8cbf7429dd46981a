// Bushing: springs and dampers in every direction between a frame a and a frame b. With r the
// origin of b and R its axes as seen in a, and w and rdot their rates there,
//   V      = r^T K r / 2 + tr(G (I - R)) / 2      G = tr(K_r) I - 2 K_r
//   force  = -K r - D rdot                        on b at its origin, along the axes of a
//   moment = -axial(R G - G R^T) / 2 - D_r w
// The second part of V is 2 e^T K_r e, with e the vector part of R's unit quaternion: a turn by
// an angle s about one axis stores k (1 - cos s) and asks for k sin s. So it is smooth for every
// rotation, never negative, and for small ones the spring k s that its name says.
#pragma once

#include "hamiltree/forces/instant.hpp"
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
  const auto& kin = now.kin;
  const auto X_Wa = kin.pose(bushing.body_a) * bushing.X_a;
  const auto X_Wb = kin.pose(bushing.body_b) * bushing.X_b;
  const auto X_ab = inverse(X_Wa) * X_Wb;
  // Velocity of b's origin against the point of body a that is there: how r changes in a.
  const auto V =
      unrotate<Space>(X_Wa.R, typename Space::Motion(kin.velocity_at(bushing.body_b, X_Wb.r) -
                                                     kin.velocity_at(bushing.body_a, X_Wb.r)));
  const auto apply = [&](ForceKind kind, const typename Space::Position& force,
                         const typename Space::Angular& moment) {
    const auto F = rotate<Space>(X_Wa.R, stack<Space>(force, moment));
    sink.pair(kind, bushing.body_a, bushing.body_b, X_Wb.r, F);
  };
  apply(ForceKind::kConservative, -bushing.stiffness.cwiseProduct(X_ab.r),
        -restoring_moment<Space>(bushing.rotational_stiffness, X_ab.R));
  apply(ForceKind::kDissipative, -bushing.damping.cwiseProduct(linear<Space>(V)),
        -bushing.rotational_damping.cwiseProduct(angular<Space>(V)));
}

template <class Space>
typename Space::Scalar stored_energy(const BodyBushing<Space>& bushing, const Instant<Space>& now) {
  using Scalar = typename Space::Scalar;
  const auto X_ab = inverse(now.kin.pose(bushing.body_a) * bushing.X_a) *
                    (now.kin.pose(bushing.body_b) * bushing.X_b);
  return Scalar(0.5) * X_ab.r.dot(bushing.stiffness.cwiseProduct(X_ab.r)) +
         turning_energy<Space>(bushing.rotational_stiffness, X_ab.R);
}

template <class Space>
bool is_conservative(const BodyBushing<Space>& bushing) {
  return bushing.damping.isZero(0.0) && bushing.rotational_damping.isZero(0.0);
}

}  // namespace hamiltree
