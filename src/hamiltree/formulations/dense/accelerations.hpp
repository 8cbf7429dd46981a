// Accelerations and reactions of the augmented form, every rate taken on dual numbers.
#pragma once

#include <Eigen/Core>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dense/momentum_rates.hpp"

namespace hamiltree::dense {

// v_dot and lambda, after solve_momentum_rates() at the same state; rhs and residual are scratch.
//   (1)  M v_dot - A^T lambda = pdot + (dA/dt)^T sigma - d(M v + b)/dt|v
//   (2)  A v_dot              = -d(A v + a)/dt|v
// then body by body from the tips to the base
//   (3)  F_k = sum over subtree(k) of d(momentum)/dt - load - cuts and couplings
template <class Space>
void solve_accelerations(const System<Space>& system, double t, const double* q,
                         Augmented& augmented, Differentiated<Space>& d, Eigen::VectorXd& rhs,
                         Eigen::VectorXd& residual, RateWork<Space>& work) {
  auto& result = work.result;
  const auto n = static_cast<Eigen::Index>(result.v.size());
  rhs = Eigen::Map<const Eigen::VectorXd>(result.p_dot.data(), n);
  // The parts of (1) and (2) along the flow at fixed v.
  d.seed(t, 1.0, q, result.q_dot);
  for (std::size_t i = 0; i < result.v.size(); ++i) d.v[i] = Dual(result.v[i]);
  move(d.system, d.v.data(), d.kin);
  momenta(d.system, d.kin, d.p.data());
  velocity_residual(d.system, d.kin, d.A_k.data());
  for (Eigen::Index k = 0; k < n; ++k) rhs(k) -= d.p[static_cast<std::size_t>(k)].derivative;
  for (Eigen::Index r = 0; r < residual.size(); ++r) {
    residual(r) = d.A_k[static_cast<std::size_t>(r)].derivative;
  }
  if (system.constraints > 0) {
    for (Eigen::Index k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < result.v.size(); ++i) d.v[i] = Dual(0.0);
      d.v[static_cast<std::size_t>(k)] = Dual(1.0);
      d.kin.frozen = true;
      move(d.system, d.v.data(), d.kin);
      velocity_residual(d.system, d.kin, d.A_k.data());
      d.kin.frozen = false;
      for (std::size_t r = 0; r < d.A_k.size(); ++r) {
        rhs(k) += result.sigma[r] * d.A_k[r].derivative;
      }
    }
  }
  Eigen::Map<Eigen::VectorXd> v_dot(result.v_dot.data(), n);
  Eigen::Map<Eigen::VectorXd> lambda(result.lambda.data(), system.constraints);
  augmented.solve(rhs, residual.data(), v_dot, lambda);

  // (3)
  for (std::size_t i = 0; i < result.v.size(); ++i) d.v[i] = Dual(result.v[i], result.v_dot[i]);
  move(d.system, d.v.data(), d.kin);
  evaluate_loads(system, work.kin, t, q, work.loads);
  auto& F = work.wrench;
  for (int j = 0; j < system.joint_count(); ++j) F[at(j)] = Space::Force::Zero();
  // Loads along joints, and through cuts.
  const auto add_along = [&](int j, double effort) {
    typename Space::Force along = Space::Force::Zero();
    along(system.joint(j).along) = effort;
    F[at(j)] += work.kin.joint(j).to_world_force(along);
  };
  for (const auto& c : system.couplings) {
    const double effort = result.lambda[at(c.row)];
    if (system.joint(c.joint).is_cut()) add_along(c.joint, effort);
    if (system.joint(c.to).is_cut()) add_along(c.to, -c.ratio * effort);
  }
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    typename Space::Force D_lambda = Space::Force::Zero();
    for (int i = 0; i < joint.constraints; ++i) {
      D_lambda(joint.constrained[at(i)]) = result.lambda[at(joint.row + i)];
    }
    F[at(c)] += work.kin.joint(c).to_world_force(D_lambda);
    apply_pair(work.kin, joint.parent, joint.child, work.kin.origin(c), F[at(c)], work.loads.body);
  }
  auto& P_dot = work.kin.P;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto P = body_momentum(d.system, d.kin, b);
    const auto v_O = linear<Space>(work.kin.velocity(b));
    typename Space::Force momentum, rate;
    for (int i = 0; i < P.size(); ++i) {
      momentum(i) = P(i).value;
      rate(i) = P(i).derivative;
    }
    // The reference point moves.
    rate += stack<Space>(Space::Position::Zero(), Space::moment(v_O, linear<Space>(momentum)));
    P_dot[at(b)] = rate - work.loads.body[at(b)];
  }
  accumulate(system, work.kin, P_dot);
  for (int b = 0; b < system.body_count(); ++b)
    F[at(b)] = at_joint(system, work.kin, b, P_dot[at(b)]);
  add_outside_efforts(system, work);
}

}  // namespace hamiltree::dense
