// What every formulation computes, whatever its way there: the results of one evaluation and the
// kinematics and loads that led to them. Kernels derive their Work from it.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Scalar>
struct RateResult {
  std::vector<Scalar> v;      // joint velocities
  std::vector<Scalar> q_dot;  // rates of the coordinates; v itself but for quasi-velocities
  std::vector<Scalar> p_dot;  // rates of the momenta
  std::vector<Scalar> sigma;  // impulses of the cuts, N s and N m s, rows as Phi
};

template <class Space>
struct RateWork {
  using Scalar = typename Space::Scalar;

  explicit RateWork(const System<Space>& system) : kin(system), loads(system) {
    const auto nv = at(system.velocities);
    result.v.assign(nv, Scalar(0));
    result.p_dot.assign(nv, Scalar(0));
    result.q_dot.assign(at(system.coordinates), Scalar(0));
    result.sigma.assign(at(system.constraints), Scalar(0));
  }

  RateResult<Scalar> result;
  Kinematics<Space> kin;
  Loads<Space> loads;
};

// The constraint impulse D sigma of a cut, world axes at its O, from its rows of sigma.
template <class Space>
typename Space::Force constraint_impulse(const Joint<Space>& joint,
                                         const typename Space::Rotation& R_WM,
                                         const typename Space::Scalar* sigma) {
  typename Space::Force F = Space::Force::Zero();
  for (int i = 0; i < joint.constraints; ++i) {
    F(joint.constrained[at(i)]) = sigma[i];
  }
  return rotate<Space>(R_WM, F);
}

// Adds the cut loads L_c = -(Sdot_c D_c + Ddot_c) sigma_c = -V_c x* (D_c sigma_c) to both sides of
// every cut [Chadaj2017 eq. 77, for any number of cuts]; D_c turns with the child.
template <class Space>
void add_cut_loads(const System<Space>& system, RateWork<Space>& work) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    const auto X_WM = child_frame(system, work.kin, c);
    const auto T = constraint_impulse(joint, X_WM.R, work.result.sigma.data() + joint.row);
    const auto V = work.kin.velocity_at(joint.child, X_WM.r);
    apply_pair(work.kin, joint.parent, joint.child, X_WM.r,
               typename Space::Force(-cross_force<Space>(V, T)), work.loads.body);
  }
}

// p_dot = H^T (Qbar - V x* Pbar) + effort, all in the child's axes at O [Naudet2003 eq. 35,
// Chadaj2017 eq. 77].
template <class Space>
void momentum_rate(const Joint<Space>& joint, const typename Space::Motion& V,
                   const typename Space::Force& Pbar, const typename Space::Force& Qbar,
                   const Loads<Space>& loads, typename Space::Scalar* p_dot) {
  for (int i = 0; i < joint.velocities; ++i) {
    p_dot[joint.v + i] = loads.effort[at(joint.v + i)];
  }
  add_projection(joint, typename Space::Force(Qbar - cross_force<Space>(V, Pbar)), p_dot);
}

}  // namespace hamiltree
