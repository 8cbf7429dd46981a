// Moving spatial vectors between points and frames. S(l) = [I 0; l~ I] moves a force that acts at l
// to the origin; its transpose moves a motion from the origin to l [Chadaj2017 eq. 14]. All of this
// is a few operations in the innermost loops: large kernels would otherwise pay a call for each.
#pragma once

#include <Eigen/Core>

#include "hamiltree/space/pose.hpp"

namespace hamiltree {

// Linear and angular parts of a motion or a force.
template <class Space>
[[gnu::always_inline]] inline typename Space::Position linear(const typename Space::Force& F) {
  return F.template head<Space::kLinear>();
}
template <class Space>
[[gnu::always_inline]] inline typename Space::Angular angular(const typename Space::Force& F) {
  return F.template tail<Space::kAngular>();
}
template <class Space>
[[gnu::always_inline]] inline typename Space::Force stack(const typename Space::Position& lin,
                                                          const typename Space::Angular& ang) {
  typename Space::Force F;
  F.template head<Space::kLinear>() = lin;
  F.template tail<Space::kAngular>() = ang;
  return F;
}

// S(l) F: the force F acting at l, seen from the origin.
template <class Space>
[[gnu::always_inline]] inline typename Space::Force shift_force(const typename Space::Position& l,
                                                                const typename Space::Force& F) {
  const auto f = linear<Space>(F);
  return stack<Space>(f, angular<Space>(F) + Space::moment(l, f));
}

// S(l)^T V: the motion V of the origin, seen at l.
template <class Space>
[[gnu::always_inline]] inline typename Space::Motion shift_motion(const typename Space::Position& l,
                                                                  const typename Space::Motion& V) {
  const auto omega = angular<Space>(V);
  return stack<Space>(linear<Space>(V) + Space::cross(omega, l), omega);
}

// diag(R, R) F and its inverse: other axes, the same point.
template <class Space>
[[gnu::always_inline]] inline typename Space::Force rotate(const typename Space::Rotation& R,
                                                           const typename Space::Force& F) {
  return stack<Space>(R * linear<Space>(F), Space::rotate_angular(R, angular<Space>(F)));
}
template <class Space>
[[gnu::always_inline]] inline typename Space::Force unrotate(const typename Space::Rotation& R,
                                                             const typename Space::Force& F) {
  return stack<Space>(R.transpose() * linear<Space>(F),
                      Space::unrotate_angular(R, angular<Space>(F)));
}

// V x* P = [omega x P_l; omega x P_a + v x P_l]: how a momentum seen from a moving frame changes
// [Naudet2003 eq. 16].
template <class Space>
typename Space::Force cross_force(const typename Space::Motion& V, const typename Space::Force& P) {
  const auto v = linear<Space>(V);
  const auto omega = angular<Space>(V);
  const auto p = linear<Space>(P);
  return stack<Space>(Space::cross(omega, p),
                      Space::cross_angular(omega, angular<Space>(P)) + Space::moment(v, p));
}

// V x U = [omega x U_l + v x U_a; omega x U_a]: how a motion seen from a moving frame changes.
template <class Space>
typename Space::Motion cross_motion(const typename Space::Motion& V,
                                    const typename Space::Motion& U) {
  const auto v = linear<Space>(V);
  const auto omega = angular<Space>(V);
  const auto u = angular<Space>(U);
  return stack<Space>(Space::cross(omega, linear<Space>(U)) - Space::cross(u, v),
                      Space::cross_angular(omega, u));
}

// Between the frames of X_AB: a force at B's origin in B's axes becomes one at A's origin in A's
// axes; a motion goes the other way. force_to_parent is the transpose of motion_to_child.
template <class Space>
typename Space::Force force_to_parent(const Pose<Space>& X_AB, const typename Space::Force& F_B) {
  return shift_force<Space>(X_AB.r, rotate<Space>(X_AB.R, F_B));
}
template <class Space>
typename Space::Motion motion_to_child(const Pose<Space>& X_AB, const typename Space::Motion& V_A) {
  return unrotate<Space>(X_AB.R, shift_motion<Space>(X_AB.r, V_A));
}

}  // namespace hamiltree
