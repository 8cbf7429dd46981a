// Impulses and velocities with the factors of the assembly: one vector-only sweep up, one down
// [Chadaj2017 eqs. 15, 23, 29, 36].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/join.hpp"
#include "hamiltree/formulations/hdca/leaf.hpp"

namespace hamiltree::hdca {

// sigma of all rows with D^T (V_child - V_parent) = -r on every joint, for joints that carry Hp:
//   up    xi_C0 = xi_e0 - Xi_ei G^T K (G xi_i0 + r)
//   down  sigma = -K (G (Xi_ie T_e + xi_i0) + r)
template <class Space>
void solve_impulses(const System<Space>& system, const Plan& plan,
                    const std::vector<typename Space::Force>& Hp,
                    const std::vector<typename Space::Scalar>& r,
                    std::vector<typename Space::Scalar>& sigma, Work<Space>& work) {
  for (int c = 0; c < static_cast<int>(plan.compounds.size()); ++c) {
    const auto& compound = plan.compounds[at(c)];
    auto& front = work.fronts[at(c)];
    if (compound.body != kNone) {
      fill_leaf_bias(system, compound, Hp, work);
    } else {
      fill_join_bias(compound, c, work);
    }
    for (int i = 0; i < front.eliminated; ++i) {
      front.x_at(i) += r[at(front.rows[at(i)])];
    }
    forward_substitute(front);
  }
  for (auto front = work.fronts.rbegin(); front != work.fronts.rend(); ++front) {
    back_substitute(*front, sigma);
  }
}

// Adds D_j sigma_j of all joints to F, world axes at O_j.
template <class Space>
void add_constraint_impulses(const System<Space>& system,
                             const std::vector<typename Space::Scalar>& sigma,
                             const Work<Space>& work, std::vector<typename Space::Force>& F) {
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const auto& row = work.rows[i];
    const auto j = at(row.joint);
    typename Space::Force T = Space::Force::Zero();
    T(system.joint(row.joint).constrained[at(row.component)]) = sigma[i];
    F[j] += rotate<Space>(work.X_WM[j].R, T);
  }
}

// Velocity of a body's origin from the impulses at its joints: V_C = M_C^-1 sum_j s_j S_Cj F_j
template <class Space>
typename Space::Motion body_velocity(const System<Space>& system, const Compound& leaf,
                                     const std::vector<typename Space::Force>& F,
                                     const Work<Space>& work) {
  const auto b = at(leaf.body);
  const auto& mobility = work.mobility[b];
  return shift_motion<Space>(work.kin.X_WB[b].r - mobility.com,
                             mobility * body_impulse(system, leaf, F, work));
}

// One step of iterative refinement: the impulses, and the velocities they cause, that remove what
// the bodies still miss of D^T (V_child - V_parent) = -r. Inside loops the mobilities that are
// subtracted can be far larger than what is left; this gives the lost digits back for a vector-only
// sweep.
template <class Space>
void refine(const System<Space>& system, const Plan& plan, Work<Space>& work) {
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const auto V = relative_motion(system, work.kin, j);
    const auto first = at(work.first_row[at(j)]);
    for (std::size_t i = 0; i < at(joint.constraints); ++i) {
      work.residual[first + i] = work.r[first + i] + V(joint.constrained[i]);
    }
  }
  for (auto& F : work.correction) F = Space::Force::Zero();
  solve_impulses(system, plan, work.correction, work.residual, work.sigma_correction, work);
  add_constraint_impulses(system, work.sigma_correction, work, work.correction);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    work.kin.V_WB[i] += body_velocity(system, plan.compounds[i], work.correction, work);
  }
  for (std::size_t i = 0; i < work.sigma.size(); ++i) work.sigma[i] += work.sigma_correction[i];
  for (std::size_t j = 0; j < work.Pbar.size(); ++j) work.Pbar[j] += work.correction[j];
}

// v, sigma and the bodies' velocities from p; phi displaces the cuts (null: not).
//   (1)  Pbar_j = D_j sigma_j + H_j p_j                     every joint
//   (2)  V_C = M_C^-1 sum_j s_j S_Cj Pbar_j                 every body
//   (3)  qdot_k = H_k^T (V_child - V_parent)                every tree joint, both at O_k
template <class Space>
void disassemble(const System<Space>& system, const Plan& plan, const typename Space::Scalar* p,
                 const typename Space::Scalar* phi, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    work.Hp[i] = rotate<Space>(work.X_WM[i].R, joint_motion(system.joint(b), p));
  }
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    work.r[i] = phi != nullptr && row != kNone ? phi[row] : Scalar(0);
  }
  solve_impulses(system, plan, work.Hp, work.r, work.sigma, work);
  // (1)
  for (std::size_t j = 0; j < work.Pbar.size(); ++j) work.Pbar[j] = work.Hp[j];
  add_constraint_impulses(system, work.sigma, work, work.Pbar);
  // (2)
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    work.kin.V_WB[i] = body_velocity(system, plan.compounds[i], work.Pbar, work);
  }
  if (system.constraints > 0) refine(system, plan, work);
  // (3)
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities; ++i) {
      work.result.v[at(joint.v + i)] = Scalar(0);
    }
    add_projection(joint, relative_motion(system, work.kin, b), work.result.v.data());
  }
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    if (row != kNone) work.result.sigma[at(row)] = work.sigma[i];
  }
}

}  // namespace hamiltree::hdca
