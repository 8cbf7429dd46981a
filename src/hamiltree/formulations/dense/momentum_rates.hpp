// Momentum rates of the augmented form [Chadaj2017 eq. 7]: every derivative is taken by running the
// kinematics on dual numbers, one direction after the other.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/math/dual.hpp"

namespace hamiltree::dense {

// The system over dual numbers and the memory to differentiate it.
template <class Space>
struct Differentiated {
  using DualSpace = typename Space::template Rebind<Dual>;

  explicit Differentiated(const System<Space>& original)
      : system(original.template cast<Dual>()),
        kin(system),
        q(at(system.coordinates)),
        v(at(system.velocities)),
        A_k(at(system.constraints)),
        direction(q.size()),
        e(v.size()) {}

  // Places the bodies at q + epsilon qdot(direction of joint velocities w).
  void seed(const double* q_value, const std::vector<double>& q_rate) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Dual(q_value[i], q_rate[i]);
    place(system, q.data(), kin);
  }

  System<DualSpace> system;
  Kinematics<DualSpace> kin;
  std::vector<Dual> q, v, A_k;
  std::vector<double> direction;  // coordinate rates of e_k
  std::vector<double> e;          // unit joint velocity
};

//   pdot_k = dT/dq_k + Q_k - sigma . (dA/dt e_k) + [ -V x* P ]_k
// with T = v^T M v / 2 at fixed v, Q the loads, and for quasi-velocities the Boltzmann-Hamel term
// in the full generalized momentum P = M v of the joint.
template <class Space>
void solve_momentum_rates(const System<Space>& system, const double* q, const Eigen::MatrixXd& M,
                          Differentiated<Space>& d, RateWork<Space>& work) {
  const auto& v = work.result.v;
  auto& p_dot = work.result.p_dot;
  // Q_k
  accumulate(system, work.kin, work.loads.body);
  for (std::size_t k = 0; k < p_dot.size(); ++k) p_dot[k] = work.loads.effort[k];
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    add_projection(system.joint(b), unrotate<Space>(work.kin.X_WB[i].R, work.loads.body[i]),
                   p_dot.data());
  }
  for (std::size_t k = 0; k < v.size(); ++k) {
    for (auto& e : d.e) e = 0.0;
    d.e[k] = 1.0;
    // dT/dq_k
    coordinate_rates(system, q, d.e.data(), d.direction.data());
    d.seed(q, d.direction);
    for (std::size_t i = 0; i < v.size(); ++i) d.v[i] = Dual(v[i]);
    move(d.system, d.v.data(), d.kin);
    p_dot[k] += kinetic_energy(d.system, d.kin).derivative;
    // -sigma . (dA/dt e_k)
    if (system.constraints == 0) continue;
    d.seed(q, work.result.q_dot);
    for (std::size_t i = 0; i < v.size(); ++i) d.v[i] = Dual(d.e[i]);
    move(d.system, d.v.data(), d.kin);
    velocity_residual(d.system, d.kin, d.A_k.data());
    for (std::size_t r = 0; r < d.A_k.size(); ++r) {
      p_dot[k] -= work.result.sigma[r] * d.A_k[r].derivative;
    }
  }
  // Boltzmann-Hamel: zero for joints whose directions commute.
  const Eigen::Map<const Eigen::VectorXd> velocity(v.data(), system.velocities);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    visit_joint<Space>(joint.type, [&]<class J>(J) {
      if constexpr (J::kVelocities > 1) {
        typename Space::Force P = Space::Force::Zero();
        typename Space::Motion V = Space::Motion::Zero();
        for (int i = 0; i < J::kVelocities; ++i) {
          const int m = J::kMotion[at(i)];
          P(m) = M.row(joint.v + i).dot(velocity);
          V(m) = v[at(joint.v + i)];
        }
        const auto turning = project_motion<J, Space>(cross_force<Space>(V, P));
        for (int i = 0; i < J::kVelocities; ++i) {
          p_dot[at(joint.v + i)] -= turning(i);
        }
      }
    });
  }
}

}  // namespace hamiltree::dense
