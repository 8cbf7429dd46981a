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

// The rows of one cut, of which X_FM is known, in Phi; none where loops are opened().
template <class Space>
void cut_residual(const System<Space>& system, int c, const Pose<Space>& X_FM,
                  typename Space::Scalar* phi) {
  const auto& j = system.joint(c);
  if (j.constraints == 0) return;
  visit_joint<Space>(j, [&]<class J>(const J& type) {
    auto residual =
        type.residual(j.at_parent ? Pose<Space>{Space::Rotation::Identity(), X_FM.r} : X_FM);
    // A driven screw is a fixed joint whose rows are those of its screw coordinates.
    if constexpr (J::kVelocities == 0) to_screw_motion<Space>(j.pitch, residual);
    for (int i = 0; i < J::kConstraints; ++i) phi[j.row + i] = residual(i);
  });
}
// The same as the bodies stand, and of the i-th coupling.
template <class Space>
void cut_residual(const System<Space>& system, const Kinematics<Space>& kin, int c,
                  typename Space::Scalar* phi) {
  cut_residual(system, c, relative_pose(system, kin, c), phi);
}
template <class Space>
typename Space::Scalar coupling_residual(const System<Space>& system, const Kinematics<Space>& kin,
                                         const typename Space::Scalar* q, std::size_t i) {
  using Scalar = typename Space::Scalar;
  const auto& c = system.couplings[i];
  const Scalar x = joint_position(system, kin, q, c.to);
  const Scalar gap =
      joint_position(system, kin, q, c.joint) - Scalar(c.offset) - Scalar(c.ratio) * x;
  if (!c.is_curved()) return gap;
  Scalar beyond(0);  // of the straight line, over x^2
  for (std::size_t k = c.higher.size(); k-- > 0;) beyond = beyond * x + Scalar(c.higher[k]);
  return gap - beyond * x * x;
}

// Phi of all cuts and couplings, m and rad; poses must be placed.
template <class Space>
void position_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       const typename Space::Scalar* q, typename Space::Scalar* phi) {
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    cut_residual(system, kin, c, phi);
  for (std::size_t i = 0; i < system.couplings.size(); ++i)
    phi[system.couplings[i].row] = coupling_residual(system, kin, q, i);
}

// The rates of one cut's rows, and of the i-th coupling's, as the bodies move.
template <class Space>
void cut_rates(const System<Space>& system, const Kinematics<Space>& kin, int c,
               typename Space::Scalar* phi_dot) {
  const auto& j = system.joint(c);
  const auto V = free_motion(system, kin, c);
  for (int i = 0; i < j.constraints; ++i) phi_dot[j.row + i] = V(j.constrained[at(i)]);
}
template <class Space>
typename Space::Scalar coupling_rate(const System<Space>& system, const Kinematics<Space>& kin,
                                     std::size_t i) {
  const auto& c = system.couplings[i];
  return joint_rate(system, kin, c.joint) - kin.couplings[i].slope * joint_rate(system, kin, c.to);
}

// D^T (V_child - V_parent - Omega_t) of all cuts as the bodies move, and the rates by which
// couplings are missed; m/s and rad/s.
template <class Space>
void velocity_residual(const System<Space>& system, const Kinematics<Space>& kin,
                       typename Space::Scalar* phi_dot) {
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    cut_rates(system, kin, c, phi_dot);
  for (std::size_t i = 0; i < system.couplings.size(); ++i)
    phi_dot[system.couplings[i].row] = coupling_rate(system, kin, i);
}

// -(dA/dt) v of the rows of curved couplings: what their accelerations miss at v_dot = 0.
template <class Space>
typename Space::Scalar coupling_bias(const System<Space>& system, const Kinematics<Space>& kin,
                                     const typename Space::Scalar* v, std::size_t i) {
  const auto& rate = v[system.joint(system.couplings[i].to).v];
  return kin.couplings[i].curvature * rate * rate;
}

// p_dot += -(dA/dt)^T sigma of curved couplings, whose slopes change with their leaders:
//   A_to = -P'(x),  so  p_dot_to += P''(x) v_to sigma
template <class Space>
void add_coupling_rates(const System<Space>& system, const Kinematics<Space>& kin,
                        const typename Space::Scalar* v, const typename Space::Scalar* sigma,
                        typename Space::Scalar* p_dot) {
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& c = system.couplings[i];
    if (!c.is_curved()) continue;
    const int to = system.joint(c.to).v;
    p_dot[to] += kin.couplings[i].curvature * v[to] * sigma[c.row];
  }
}

// factor times the impulses of the rows of a cut on its child; world axes at O.
template <class Space>
typename Space::Force cut_impulse(const System<Space>& system, const Kinematics<Space>& kin, int c,
                                  const typename Space::Scalar& factor,
                                  const typename Space::Scalar* impulses) {
  const auto& joint = system.joint(c);
  typename Space::Force F = Space::Force::Zero();
  for (int i = 0; i < joint.constraints; ++i)
    F(joint.constrained[at(i)]) = factor * impulses[joint.row + i];
  return kin.joint(c).to_world_force(F);
}

// add(c, F) for each cut that a coupling takes, with factor times its impulse along the cut's free
// direction on the cut's child; world axes at O.
template <class Space, class Add>
void coupled_cut_impulses(const System<Space>& system, const Kinematics<Space>& kin,
                          const typename Space::Scalar& factor,
                          const typename Space::Scalar* impulses, const Add& add) {
  const auto add_along = [&](int j, const typename Space::Scalar& impulse) {
    if (!system.joint(j).is_cut()) return;
    typename Space::Force F = Space::Force::Zero();
    F(system.joint(j).along) = impulse;
    add(j, kin.joint(j).to_world_force(F));
  };
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& coupling = system.couplings[i];
    const typename Space::Scalar impulse = factor * impulses[coupling.row];
    add_along(coupling.joint, impulse);
    add_along(coupling.to, -(kin.couplings[i].slope * impulse));
  }
}

// p += factor A^T impulses: what impulses in the rows of cuts and couplings do to the momenta,
// A = Phi_q. Poses must be placed; overwrites kin.P.
template <class Space>
void add_loop_impulses(const System<Space>& system, const typename Space::Scalar& factor,
                       const typename Space::Scalar* impulses, Kinematics<Space>& kin,
                       typename Space::Scalar* p) {
  for (auto& P : kin.P) P = Space::Force::Zero();
  const auto apply = [&](int c, const typename Space::Force& F) {
    const auto& j = system.joint(c);
    apply_pair<Space>(kin, j.parent, j.child, kin.origin(c), F, kin.P);
  };
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    apply(c, cut_impulse(system, kin, c, factor, impulses));
  coupled_cut_impulses(system, kin, factor, impulses, apply);
  accumulate(system, kin, kin.P);
  add_along_joints(system, kin, kin.P, p);
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& c = system.couplings[i];
    const typename Space::Scalar impulse = factor * impulses[c.row];
    const auto &joint = system.joint(c.joint), &to = system.joint(c.to);
    if (joint.has_velocity()) p[joint.v] += impulse;
    if (to.has_velocity()) p[to.v] -= kin.couplings[i].slope * impulse;
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
#define HAMILTREE_LOOPS(PREFIX, SPACE)                                                             \
  PREFIX template void position_residual(const System<SPACE>&, const Kinematics<SPACE>&,           \
                                         const double*, double*);                                  \
  PREFIX template void velocity_residual(const System<SPACE>&, const Kinematics<SPACE>&, double*); \
  PREFIX template void add_loop_impulses(const System<SPACE>&, const double&, const double*,       \
                                         Kinematics<SPACE>&, double*);
HAMILTREE_LOOPS(extern, Planar<double>)
HAMILTREE_LOOPS(extern, Spatial<double>)

}  // namespace hamiltree
