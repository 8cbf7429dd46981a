// Joint efforts: a torque or force along a joint with one degree of freedom, whether the joint is
// in the tree (then it is a load on its momentum) or closes a loop (then it is a pair of wrenches).
#pragma once

#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template <class Space>
struct Loads;

// The user's coordinate of a one-dof joint. Of a cut it is measured on the bodies: an angle is then
// its principal value.
template <class Space>
typename Space::Scalar joint_position(const System<Space>& system, const Kinematics<Space>& kin,
                                      const typename Space::Scalar* q, int joint) {
  using Scalar = typename Space::Scalar;
  const auto& j = system.joint(joint);
  if (!j.is_cut()) return q[j.q];
  const auto X_FM = relative_pose(system, kin, joint);
  Scalar x(0);
  visit_joint<Space>(j.type, [&]<class J>(J) {
    if constexpr (J::kCoordinates == 1) J::coordinates(X_FM, &x);
  });
  return Scalar(j.sign) * x;
}

// Coordinate and rate of a one-dof joint.
template <class Space>
std::pair<typename Space::Scalar, typename Space::Scalar> joint_coordinate(
    const System<Space>& system, const Kinematics<Space>& kin, const typename Space::Scalar* q,
    const typename Space::Scalar* v, int joint) {
  using Scalar = typename Space::Scalar;
  const auto& j = system.joint(joint);
  if (!j.is_cut()) return {q[j.q], v[j.v]};
  const auto V = relative_motion(system, kin, joint);
  Scalar rate(0);
  visit_joint<Space>(j.type, [&]<class J>(J) {
    if constexpr (J::kVelocities == 1) rate = project_motion<J, Space>(V)(0);
  });
  return {joint_position(system, kin, q, joint), Scalar(j.sign) * rate};
}

// +F on the child and -F on the parent, both at the world point x, added at the bodies' origins.
template <class Space>
void apply_pair(const Kinematics<Space>& kin, int parent, int child,
                const typename Space::Position& x, const typename Space::Force& F,
                std::vector<typename Space::Force>& body) {
  body[at(child)] += shift_force<Space>(x - kin.pose(child).r, F);
  if (parent == kNone) return;
  body[at(parent)] -= shift_force<Space>(x - kin.pose(parent).r, F);
}

// Adds an effort along the user's coordinate of a one-dof joint.
template <class Space>
void apply_effort(const System<Space>& system, const Kinematics<Space>& kin, int joint,
                  const typename Space::Scalar& effort, Loads<Space>& loads) {
  using Scalar = typename Space::Scalar;
  const auto& j = system.joint(joint);
  if (!j.is_cut()) {
    loads.effort[at(j.v)] += effort;
    return;
  }
  const auto X_WM = child_frame(system, kin, joint);
  typename Space::Force F = Space::Force::Zero();
  visit_joint<Space>(j.type, [&]<class J>(J) {
    const Scalar along = Scalar(j.sign) * effort;
    if constexpr (J::kVelocities == 1) F = motion<J, Space>(&along);
  });
  apply_pair(kin, j.parent, j.child, X_WM.r, rotate<Space>(X_WM.R, F), loads.body);
}

}  // namespace hamiltree
