// Accelerations and reactions: the vector sweeps of the velocities once more, with the same factors
// and forces in the place of impulses. This is the articulated-body algorithm with every matrix
// taken from the momentum pass.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/solve.hpp"
#include "hamiltree/model/accelerations.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::recursive {

// v_dot, lambda and what every joint transmits, after evaluate_loads(); the bodies must move and
// the factors be those of their pose. `feedback` is what the rows of cuts and couplings are to gain
// less (null: nothing).
//   (1)  D = V x* (M V) - T                      every body: F = M* A + D
//   (2)  Omega -> gamma,  p -> tau               every tree joint
//   (3)  D^T (A_child - A_parent) = D^T gamma    every cut
//   (4)  vdot_joint - P' vdot_to = P'' v_to^2    every coupling
template <class Space>
void solve_accelerations(const System<Space>& system, const typename Space::Scalar* feedback,
                         Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  for (auto& force : work.free_force) force = Scalar(0);
  for (int j = 0; j < system.joint_count(); ++j) {
    work.gamma[at(j)] = bias_acceleration(system, work.kin, j);
  }
  for (int b = 0; b < system.body_count(); ++b) {
    auto& body = work.bodies[at(b)];
    const auto& joint = system.joint(b);
    // (1)
    body.bias = -unrotate<Space>(
        work.kin.X_WB[at(b)].R,
        typename Space::Force(work.loads.body[at(b)] + gyroscopic_load(system, work.kin, b)));
    // (2)
    body.is_given = true;
    body.given = body.outward * work.kin.joint(b).to_joint_motion(work.gamma[at(b)]);
    if (joint.has_velocity() && joint.along != kNone) {
      work.free_force[at(joint.v)] = work.loads.effort[at(b)];
    }
  }
  // (3)
  for (std::size_t i = 0; i < work.r.size(); ++i) {
    work.r[i] = feedback == nullptr ? Scalar(0) : feedback[i];
  }
  prescribe_cuts(
      system, [&](int c) { return work.gamma[at(c)]; }, work);
  // (4)
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    if (!system.couplings[i].is_curved()) continue;
    work.r[at(system.couplings[i].row)] -= coupling_bias(system, work.kin, work.result.v.data(), i);
  }
  solve(system, work.result.v_dot.data(), work);
  for (std::size_t i = 0; i < work.result.lambda.size(); ++i) {
    work.result.lambda[i] = work.values[i];
  }
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& R = work.kin.X_WB[at(b)].R;
    work.A[at(b)] = rotate<Space>(R, work.bodies[at(b)].V);
    work.wrench[at(b)] = at_joint(system, work.kin, b,
                                  typename Space::Force(rotate<Space>(R, transmitted(b, work))));
  }
  cut_impulses(system, work);
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    work.wrench[at(c)] = work.impulse[at(c)];
  }
  add_outside_efforts(system, work);
}

}  // namespace hamiltree::recursive
