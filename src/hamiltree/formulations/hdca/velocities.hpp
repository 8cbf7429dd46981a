// Impulses and velocities with the factors of the assembly: one vector-only sweep up, one down
// [Chadaj2017 eqs. 15, 23, 29, 36].
#pragma once

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/join.hpp"
#include "hamiltree/formulations/hdca/leaf.hpp"
#include "hamiltree/model/ballast.hpp"

namespace hamiltree::hdca {

// sigma of all rows with D^T (V_child - V_parent) = -r on every joint, for bodies that receive
// work.known besides:
//   up    xi_C0 = xi_e0 - Xi_ei G^T K (G xi_i0 + r)
//   down  sigma = -K (G (Xi_ie T_e + xi_i0) + r)
template <class Space>
void solve_impulses(const Plan& plan, const std::vector<typename Space::Scalar>& r,
                    std::vector<typename Space::Scalar>& sigma, Work<Space>& work) {
  for (int c = 0; c < static_cast<int>(plan.compounds.size()); ++c) {
    const auto& compound = plan.compounds[at(c)];
    auto& front = work.fronts[at(c)];
    if (compound.body != kNone) {
      fill_leaf_bias(compound, work);
    } else {
      fill_join_bias(compound, c, work);
    }
    for (int i = 0; i < front.eliminated; ++i) {
      front.x_at(i) += r[at(front.rows[at(i)])];
    }
    contraction::forward_substitute(front);
  }
  for (auto front = work.fronts.rbegin(); front != work.fronts.rend(); ++front) {
    contraction::back_substitute(*front, sigma);
  }
}

// Adds D_j sigma_j of all joints, and what couplings add along H, to F, world axes at O_j.
template <class Space>
void add_constraint_impulses(const std::vector<typename Space::Scalar>& sigma,
                             const Work<Space>& work, std::vector<typename Space::Force>& F) {
  for (std::size_t j = 0; j < work.parts.size(); ++j) {
    typename Space::Force T = Space::Force::Zero();
    for (const auto& part : work.parts[j]) {
      T(part.component) += typename Space::Scalar(part.factor) * sigma[at(part.row)];
    }
    F[j] += work.kin.joints[j].to_world_force(T);
  }
}

// Adds the rows of a joint's motion W (world axes at O), that is D^T W, to r.
template <class Space>
void add_rows(int j, const typename Space::Motion& W, const typename Space::Scalar& sign,
              const Work<Space>& work, std::vector<typename Space::Scalar>& r) {
  const auto W_J = work.kin.joint(j).to_joint_motion(W);
  for (const auto& part : work.parts[at(j)]) {
    r[at(part.row)] += sign * (typename Space::Scalar(part.factor) * W_J(part.component));
  }
}

// The motion that an impulse on a body about its centre of mass gives to its origin, world axes; a
// force the acceleration.
template <class Space>
typename Space::Motion response(int b, const typename Space::Force& P, const Work<Space>& work) {
  const auto& mobility = work.mobility[at(b)];
  return shift_motion<Space>(-mobility.com, mobility * P);
}

// One step of iterative refinement: the impulses, and the motions V of the bodies they cause, that
// remove what the bodies still miss of D^T (V_child - V_parent) = -r. Inside loops, along chains in
// space and behind large armatures, the mobilities that are subtracted can be far larger than what
// is left; this gives the lost digits back for a vector-only sweep. Bodies also receive work.known.
// Adds to F what the joints transmit.
template <class Space>
void refine(const System<Space>& system, const Plan& plan, std::vector<typename Space::Motion>& V,
            std::vector<typename Space::Force>& F, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto motion_at = [&](int j, int body) {
    if (body == kNone) return typename Space::Motion(Space::Motion::Zero());
    return shift_motion<Space>(lever(system, work.kin, j, body), V[at(body)]);
  };
  work.residual = work.r;
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    add_rows(j, typename Space::Motion(motion_at(j, joint.child) - motion_at(j, joint.parent)),
             Scalar(1), work, work.residual);
  }
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    if (work.rows[i].yields) work.residual[i] += work.sigma[i];
  }
  for (auto& C : work.correction) C = Space::Force::Zero();
  solve_impulses(plan, work.residual, work.sigma_correction, work);
  add_constraint_impulses(work.sigma_correction, work, work.correction);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    const typename Space::Force P =
        work.known[i] + body_impulse(system, plan.compounds[i], work.correction, work);
    work.change[i] = response(b, P, work);
    V[i] += work.change[i];
  }
  for (std::size_t i = 0; i < work.sigma.size(); ++i) work.sigma[i] += work.sigma_correction[i];
  for (std::size_t j = 0; j < F.size(); ++j) F[j] += work.correction[j];
}

// The next sweep's known impulse: the momentum that the ballast took in the last one.
template <class Space>
void give_ballast_back(const System<Space>& system, int b, Work<Space>& work) {
  const auto i = at(b);
  work.known[i] = Space::Force::Zero();
  if (system.ballasted.empty()) return;
  const auto& X = work.kin.X_WB[i];
  const auto P = ballast_momentum<Space>(system, b, unrotate<Space>(X.R, work.change[i]));
  work.known[i] = shift_force<Space>(-work.mobility[i].com, rotate<Space>(X.R, P));
}

// The whole solution for bodies that receive work.known and joints that carry F besides: sigma, V
// of the bodies, and all that the joints transmit in F.
//   (1)  sigma
//   (2)  F_j += D_j sigma_j
//   (3)  V_C = M_C^-1 (known + sum_j s_j S_Cj D_j sigma_j)      every body
// then refined: where digits are lost, and to give the ballast's momentum back.
template <class Space>
void solve_motion(const System<Space>& system, const Plan& plan,
                  std::vector<typename Space::Motion>& V, std::vector<typename Space::Force>& F,
                  Work<Space>& work) {
  // (1)
  solve_impulses(plan, work.r, work.sigma, work);
  // (2)
  for (auto& C : work.correction) C = Space::Force::Zero();
  add_constraint_impulses(work.sigma, work, work.correction);
  for (std::size_t j = 0; j < F.size(); ++j) F[j] += work.correction[j];
  // (3)
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    const typename Space::Force P =
        work.known[i] + body_impulse(system, plan.compounds[i], work.correction, work);
    work.change[i] = V[i] = response(b, P, work);
  }
  const int sweeps = std::max(ballast_sweeps(system), work.loses_digits ? 1 : 0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int b = 0; b < system.body_count(); ++b) give_ballast_back(system, b, work);
    refine(system, plan, V, F, work);
  }
}

// v, sigma and the bodies' velocities from p; phi displaces the cuts at frozen time (null: not).
//   Pbar_j = D_j sigma_j + H_j (p_j - I_a v_j)           every joint
//   V_C    = M_C^-1 sum_j s_j S_Cj Pbar_j                every body
//   v_k    = H_k^T (V_child - V_parent - Omega_t)        every tree joint, both at O_k
template <class Space>
void disassemble(const System<Space>& system, const Plan& plan, const typename Space::Scalar* p,
                 const typename Space::Scalar* phi, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  work.kin.frozen = phi != nullptr;
  for (int j = 0; j < system.joint_count(); ++j) {
    work.Pbar[at(j)] = Space::Force::Zero();
    if (!system.joint(j).has_velocity()) continue;
    work.Pbar[at(j)] = work.kin.joint(j).to_world_force(from_free(system.joint(j), p));
  }
  for (int b = 0; b < system.body_count(); ++b) {
    work.known[at(b)] = body_impulse(system, plan.compounds[at(b)], work.Pbar, work);
  }
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    work.r[i] = phi != nullptr && row != kNone ? phi[row] : Scalar(0);
  }
  for (int j = 0; j < system.joint_count(); ++j) {
    if (system.joint(j).drive == kNone) continue;
    add_rows(j, prescribed_motion(system, work.kin, j), Scalar(-1), work, work.r);
  }
  solve_motion(system, plan, work.kin.V_WB, work.Pbar, work);
  for (auto& v : work.result.v) v = Scalar(0);
  for (int b = 0; b < system.body_count(); ++b) {
    add_free(system.joint(b), free_motion(system, work.kin, b), work.result.v.data());
  }
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    if (row != kNone) work.result.sigma[at(row)] = work.sigma[i];
  }
}

}  // namespace hamiltree::hdca
