// Accelerations and reactions: the vector sweeps of the velocities once more, with the same factors
// and forces in the place of impulses [Chadaj2017 sect. 3.4]. This is the divide-and-conquer
// algorithm of Featherstone.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/velocities.hpp"
#include "hamiltree/model/accelerations.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::hdca {

// v_dot, lambda and what every joint transmits, after evaluate_loads(); the bodies must move and
// the factors be those of their pose. `feedback` is what the rows of cuts and couplings are to gain
// less (null: nothing), see add_feedback().
//   (1)  known_C = Q_C - V x* P_C + sum_j s_j S_Cj H_j tau_j      every body
//   (2)  D^T (A_child - A_parent) = D^T gamma                     every joint
//        F_j = D_j lambda_j + H_j tau_j                           every joint
//        v_dot_k = H_k^T (A_child - A_parent - gamma)             every tree joint
//   (3)  vdot_joint - P' vdot_to = P'' v_to^2                     every coupling
template <class Space>
void solve_accelerations(const System<Space>& system, const Plan& plan,
                         const typename Space::Scalar* feedback, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& F = work.wrench;
  // (1)
  work.executor.each(system.joint_count(), [&](int j) {
    typename Space::Force H_tau = Space::Force::Zero();
    const auto& joint = system.joint(j);
    if (joint.has_velocity() && joint.along != kNone) H_tau(joint.along) = work.loads.effort[at(j)];
    F[at(j)] = work.kin.joint(j).to_world_force(H_tau);
  });
  work.executor.each(system.body_count(), [&](int b) {
    const auto i = at(b);
    const typename Space::Force Q = work.loads.body[i] + gyroscopic_load(system, work.kin, b);
    work.known[i] = body_impulse(system, plan.compounds[i], F, work) +
                    shift_force<Space>(-work.mobility[i].com, Q);
  });
  // (2)
  set_bias(feedback, work);
  each_with_rows(system, work, [&](int j) {
    work.gamma[at(j)] = bias_acceleration(system, work.kin, j);
    add_rows(j, work.gamma[at(j)], Scalar(-1), work, work.r);
  });
  // (3)
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    if (!system.couplings[i].is_curved()) continue;
    work.r[at(work.first_row[system.joints.size() + i])] -=
        coupling_bias(system, work.kin, work.result.v.data(), i);
  }
  solve_motion(system, plan, work.A, F, work);
  add_outside_efforts(system, work);
  finish_accelerations(system, work);
  give_impulses(work.result.lambda, work);
}

}  // namespace hamiltree::hdca
