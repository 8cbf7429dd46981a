// Momentum rates of the augmented form [Chadaj2017 eq. 7]: every derivative is taken by running the
// kinematics on dual numbers, one direction after the other.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dense/augmented.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/math/dual.hpp"

namespace hamiltree::dense {

// The system over dual numbers, without the forces on it, and the memory to differentiate it.
template <class Space>
struct Differentiated {
  using DualSpace = typename Space::template Rebind<Dual>;

  explicit Differentiated(const System<Space>& original)
      : system(original.without_forces().template cast<Dual>()),
        kin(system),
        q(at(system.coordinates)),
        v(at(system.velocities)),
        A_k(at(system.constraints)),
        direction(q.size()),
        e(v.size()),
        p(v.size()) {}

  // Places the bodies at q + epsilon q_rate, t + epsilon t_rate.
  void seed(double t, double t_rate, const double* q_value, const std::vector<double>& q_rate) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Dual(q_value[i], q_rate[i]);
    place(system, Dual(t, t_rate), q.data(), kin);
  }

  System<DualSpace> system;
  Kinematics<DualSpace> kin;
  std::vector<Dual> q, v, A_k;
  std::vector<double> direction;  // coordinate rates of e_k
  std::vector<double> e;          // unit joint velocity
  std::vector<Dual> p;            // momenta
};

//   pdot_k = dT/dq_k + Q_k - sigma . (dA/dt e_k) + [ -V x* P ]_k
// with T the kinetic energy at fixed v, Q the loads, and for quasi-velocities the Boltzmann-Hamel
// term in the full generalized momentum P = M v + b of the joint.
template <class Space>
void solve_momentum_rates(const System<Space>& system, double t, const double* q,
                          const Augmented& augmented, Differentiated<Space>& d,
                          RateWork<Space>& work) {
  const auto& v = work.result.v;
  auto& p_dot = work.result.p_dot;
  // Q_k
  accumulate(system, work.kin, work.loads.body);
  for (auto& rate : p_dot) rate = 0.0;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities > 0 && joint.along != kNone) p_dot[at(joint.v)] = work.loads.effort[at(b)];
    add_free(
        joint,
        work.kin.joint(b).to_joint_force(at_joint(system, work.kin, b, work.loads.body[at(b)])),
        p_dot.data());
  }
  for (std::size_t k = 0; k < v.size(); ++k) {
    for (auto& e : d.e) e = 0.0;
    d.e[k] = 1.0;
    // dT/dq_k
    coordinate_rates(system, q, d.e.data(), d.direction.data());
    d.seed(t, 0.0, q, d.direction);
    for (std::size_t i = 0; i < v.size(); ++i) d.v[i] = Dual(v[i]);
    move(d.system, d.v.data(), d.kin);
    p_dot[k] += kinetic_energy(d.system, d.kin).derivative;
    // -sigma . (dA/dt e_k)
    if (system.constraints == 0) continue;
    d.seed(t, 1.0, q, work.result.q_dot);
    for (std::size_t i = 0; i < v.size(); ++i) d.v[i] = Dual(d.e[i]);
    d.kin.frozen = true;
    move(d.system, d.v.data(), d.kin);
    velocity_residual(d.system, d.kin, d.A_k.data());
    d.kin.frozen = false;
    for (std::size_t r = 0; r < d.A_k.size(); ++r) {
      p_dot[k] -= work.result.sigma[r] * d.A_k[r].derivative;
    }
  }
  // Boltzmann-Hamel: zero for joints whose directions commute.
  const Eigen::Map<const Eigen::VectorXd> velocity(v.data(), system.velocities);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities < 2) continue;
    const auto V = from_free(joint, v.data());
    typename Space::Force P = Space::Force::Zero();
    for (int i = 0; i < joint.velocities; ++i) {
      const int k = joint.v + i;
      P(joint.free[at(i)]) = augmented.M.row(k).dot(velocity) + augmented.b(k);
    }
    add_free(joint, typename Space::Force(-cross_force<Space>(V, P)), p_dot.data());
  }
}

}  // namespace hamiltree::dense
