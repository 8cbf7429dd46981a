// Loop closure: Phi of the cut joints and its rate, from placed and moved Kinematics.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

// The child's joint frame of any joint in the world.
template <class Space>
Pose<Space> child_frame(const System<Space>& system, const Kinematics<Space>& kin, int joint) {
  const auto& j = system.joint(joint);
  return j.is_cut() ? kin.pose(j.child) * j.X_CM : kin.pose(j.child);
}

// X_FM of any joint as the bodies stand, also of a cut that is not quite closed.
template <class Space>
Pose<Space> relative_pose(const System<Space>& system, const Kinematics<Space>& kin, int joint) {
  const auto& j = system.joint(joint);
  return inverse(kin.pose(j.parent) * j.X_PF) * child_frame(system, kin, joint);
}

// V_child - V_parent at O of the joint, in the child joint frame's axes.
template <class Space>
typename Space::Motion relative_motion(const System<Space>& system, const Kinematics<Space>& kin,
                                       int joint) {
  const auto& j = system.joint(joint);
  const auto X_WM = child_frame(system, kin, joint);
  return unrotate<Space>(X_WM.R,
                         kin.velocity_at(j.child, X_WM.r) - kin.velocity_at(j.parent, X_WM.r));
}

// Phi of all cuts, m and rad; poses must be placed.
template <class Space>
void position_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       typename Space::Scalar* phi) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& j = system.joint(c);
    const auto X_FM = relative_pose(system, kin, c);
    visit_joint<Space>(j.type, [&]<class J>(J) {
      const auto residual = J::residual(X_FM);
      for (int i = 0; i < J::kConstraints; ++i) phi[j.row + i] = residual(i);
    });
  }
}

// D^T (V_child - V_parent) of all cuts, m/s and rad/s; velocities must be moved.
template <class Space>
void velocity_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       typename Space::Scalar* phi_dot) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& j = system.joint(c);
    const auto V = relative_motion(system, kin, c);
    for (int i = 0; i < j.constraints; ++i) {
      phi_dot[j.row + i] = V(j.constrained[at(i)]);
    }
  }
}

// The largest |entry| of a residual, angles times the mechanism's length: m or m/s. NaN stays NaN.
template <class Space>
double largest_residual(const System<Space>& system, const Eigen::VectorXd& phi) {
  double largest = 0.0;
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& j = system.joint(c);
    for (int i = 0; i < j.constraints; ++i) {
      const double entry = std::abs(phi(j.row + i)) * row_scale(system, j, i);
      if (!(entry <= largest)) largest = entry;
    }
  }
  return largest;
}

}  // namespace hamiltree
