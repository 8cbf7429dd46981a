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

// The coordinate of a joint written with one degree of freedom: of the state, of its drive, or of a
// cut as the bodies stand; an angle is then its principal value.
template <class Space>
typename Space::Scalar joint_position(const System<Space>& system, const Kinematics<Space>& kin,
                                      const typename Space::Scalar* q, int j) {
  using Scalar = typename Space::Scalar;
  const auto& joint = system.joint(j);
  if (joint.velocities == 0) return kin.drives[at(joint.drive)].coordinate.value;
  if (!joint.is_cut()) return q[joint.q];
  Scalar x(0);
  visit_joint<Space>(joint, [&]<class J>(const J& type) {
    if constexpr (J::kCoordinates == 1) type.coordinates(relative_pose(system, kin, j), &x);
  });
  return x;
}

// Its rate as the bodies move.
template <class Space>
typename Space::Scalar joint_rate(const System<Space>& system, const Kinematics<Space>& kin,
                                  int j) {
  const auto& joint = system.joint(j);
  if (joint.velocities == 0) {
    return kin.frozen ? typename Space::Scalar(0) : kin.drives[at(joint.drive)].coordinate.rate;
  }
  return free_motion(system, kin, j)(joint.along);
}

// The rows of one cut, and of one coupling, in Phi.
template <class Space>
void cut_residual(const System<Space>& system, const Kinematics<Space>& kin, int c,
                  typename Space::Scalar* phi) {
  const auto& j = system.joint(c);
  const auto X_FM = relative_pose(system, kin, c);
  visit_joint<Space>(j, [&]<class J>(const J& type) {
    auto residual = type.residual(X_FM);
    // A driven screw is a fixed joint whose rows are those of its screw coordinates.
    if constexpr (J::kVelocities == 0) to_screw_motion<Space>(j.pitch, residual);
    for (int i = 0; i < J::kConstraints; ++i) phi[j.row + i] = residual(i);
  });
}
template <class Space>
typename Space::Scalar coupling_residual(const System<Space>& system, const Kinematics<Space>& kin,
                                         const typename Space::Scalar* q, const JointCoupling& c) {
  using Scalar = typename Space::Scalar;
  return joint_position(system, kin, q, c.joint) - Scalar(c.offset) -
         Scalar(c.ratio) * joint_position(system, kin, q, c.to);
}

// Phi of all cuts and couplings, m and rad; poses must be placed.
template <class Space>
void position_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       const typename Space::Scalar* q, typename Space::Scalar* phi) {
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    cut_residual(system, kin, c, phi);
  for (const auto& c : system.couplings) phi[c.row] = coupling_residual(system, kin, q, c);
}

// The rates of one cut's rows, and of one coupling's, as the bodies move.
template <class Space>
void cut_rates(const System<Space>& system, const Kinematics<Space>& kin, int c,
               typename Space::Scalar* phi_dot) {
  const auto& j = system.joint(c);
  const auto V = free_motion(system, kin, c);
  for (int i = 0; i < j.constraints; ++i) phi_dot[j.row + i] = V(j.constrained[at(i)]);
}
template <class Space>
typename Space::Scalar coupling_rate(const System<Space>& system, const Kinematics<Space>& kin,
                                     const JointCoupling& c) {
  using Scalar = typename Space::Scalar;
  return joint_rate(system, kin, c.joint) - Scalar(c.ratio) * joint_rate(system, kin, c.to);
}

// D^T (V_child - V_parent - Omega_t) of all cuts as the bodies move, and the rates by which
// couplings are missed; m/s and rad/s.
template <class Space>
void velocity_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       typename Space::Scalar* phi_dot) {
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    cut_rates(system, kin, c, phi_dot);
  for (const auto& c : system.couplings) phi_dot[c.row] = coupling_rate(system, kin, c);
}

// p += factor A^T impulses: what impulses in the rows of cuts and couplings do to the momenta,
// A = Phi_q. Poses must be placed; overwrites kin.P.
template <class Space>
void add_loop_impulses(const System<Space>& system, const typename Space::Scalar& factor,
                       const typename Space::Scalar* impulses, Kinematics<Space>& kin,
                       typename Space::Scalar* p) {
  for (auto& P : kin.P) P = Space::Force::Zero();
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& j = system.joint(c);
    typename Space::Force F = Space::Force::Zero();
    for (int i = 0; i < j.constraints; ++i) F(j.constrained[at(i)]) = factor * impulses[j.row + i];
    apply_pair<Space>(kin, j.parent, j.child, kin.origin(c), kin.joint(c).to_world_force(F), kin.P);
  }
  accumulate(system, kin, kin.P);
  for (int b = 0; b < system.body_count(); ++b) {
    add_free(system.joint(b), kin.joint(b).to_joint_force(at_joint(system, kin, b, kin.P[at(b)])),
             p);
  }
  for (const auto& c : system.couplings) {
    const typename Space::Scalar impulse = factor * impulses[c.row];
    p[system.joint(c.joint).v] += impulse;
    p[system.joint(c.to).v] -= typename Space::Scalar(c.ratio) * impulse;
  }
}

// The largest |entry| of a residual, angles times the mechanism's length: m or m/s. NaN stays NaN.
template <class Space>
double largest_residual(const System<Space>& system, const Eigen::VectorXd& phi) {
  double largest = 0.0;
  Eigen::Index row = 0;
  for (const double scale : system.row_scales) {
    const double entry = std::abs(phi(row++)) * scale;
    if (!(entry <= largest)) largest = entry;
  }
  return largest;
}

// On double: compiled once, in loops.cpp.
extern template void position_residual(const System<Planar<double>>&,
                                       const Kinematics<Planar<double>>&, const double*, double*);
extern template void velocity_residual(const System<Planar<double>>&,
                                       const Kinematics<Planar<double>>&, double*);
extern template void position_residual(const System<Spatial<double>>&,
                                       const Kinematics<Spatial<double>>&, const double*, double*);
extern template void velocity_residual(const System<Spatial<double>>&,
                                       const Kinematics<Spatial<double>>&, double*);

}  // namespace hamiltree
