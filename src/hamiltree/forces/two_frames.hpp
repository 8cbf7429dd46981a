// The two frames between which bushings and the forces in balls act, and the turn from one to the
// other.
#pragma once

#include <cmath>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

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
struct TwoFrames {
  Pose<Space> X_Wa, X_Wb, X_ab;
};

template <class Space, class Element>
[[gnu::always_inline]] inline TwoFrames<Space> frames_of(const Element& element,
                                                         const Kinematics<Space>& kin) {
  const auto placed = [&](int body, const Pose<Space>& X) {
    return body == kNone ? X : kin.X_WB[at(body)] * X;
  };
  const auto X_Wa = placed(element.body_a, element.X_a), X_Wb = placed(element.body_b, element.X_b);
  return {X_Wa, X_Wb, {X_Wa.R.transpose() * X_Wb.R, X_Wa.R.transpose() * (X_Wb.r - X_Wa.r)}};
}

// Velocity of body b at x against body a there, world axes.
template <class Space, class Element>
[[gnu::always_inline]] inline typename Space::Motion motion_between(
    const Element& element, const typename Space::Position& x, const Kinematics<Space>& kin) {
  return kin.velocity_at(element.body_b, x) - kin.velocity_at(element.body_a, x);
}

}  // namespace hamiltree
