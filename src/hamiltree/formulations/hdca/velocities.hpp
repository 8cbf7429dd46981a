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
  const int count = static_cast<int>(plan.compounds.size());
  work.executor.up(count, [&](int c) {
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
    block_elimination::forward_substitute(front);
  });
  work.executor.down(count,
                     [&](int c) { block_elimination::back_substitute(work.fronts[at(c)], sigma); });
}

// D_j sigma_j of a joint, and what couplings add along H, world axes at O_j.
template <class Space>
typename Space::Force constraint_impulse(int j, const std::vector<typename Space::Scalar>& sigma,
                                         const Work<Space>& work) {
  typename Space::Force T = Space::Force::Zero();
  for (const auto& part : work.parts[at(j)]) {
    T(part.component) += part.factor * sigma[at(part.row)];
  }
  return work.kin.joint(j).to_world_force(T);
}

// Adds the rows of a joint's motion W (world axes at O), that is D^T W, to r.
template <class Space>
void add_rows(int j, const typename Space::Motion& W, const typename Space::Scalar& sign,
              const Work<Space>& work, std::vector<typename Space::Scalar>& r) {
  const auto W_J = work.kin.joint(j).to_joint_motion(W);
  for (const auto& part : work.parts[at(j)]) {
    r[at(part.row)] += sign * (part.factor * W_J(part.component));
  }
}

// turn(j) for all joints, where it adds to their rows: joints that a coupling binds share its row.
template <class Space, class Turn>
void each_with_rows(const System<Space>& system, const Work<Space>& work, const Turn& turn) {
  const Executor executor = system.couplings.empty() ? work.executor : Executor{};
  executor.each(system.joint_count(), turn);
}

// The motion that an impulse on a body about its centre of mass gives to its origin, world axes; a
// force the acceleration.
template <class Space>
typename Space::Motion response(int b, const typename Space::Force& P, const Work<Space>& work) {
  const auto& mobility = work.mobility[at(b)];
  return shift_motion<Space>(-mobility.com, mobility * P);
}

// The loads of joints, from the sigma of one sweep, is added to F.
template <class Space>
void correct_joints(const System<Space>& system, const std::vector<typename Space::Scalar>& sigma,
                    std::vector<typename Space::Force>& F, Work<Space>& work) {
  work.executor.each(system.joint_count(), [&](int j) {
    work.correction[at(j)] = Space::Force::Zero();
    work.correction[at(j)] += constraint_impulse(j, sigma, work);
    F[at(j)] += work.correction[at(j)];
  });
}

// The change of a body's motion:
//   change = M_C^-1 (known + sum_j s_j S_Cj D_j sigma_j)
template <class Space>
void correct_body(const System<Space>& system, const Plan& plan, int b, Work<Space>& work) {
  const auto i = at(b);
  const typename Space::Force P =
      work.known[i] + body_impulse(system, plan.compounds[i], work.correction, work);
  work.change[i] = response(b, P, work);
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
  each_with_rows(system, work, [&](int j) {
    const auto& joint = system.joint(j);
    add_rows(j, typename Space::Motion(motion_at(j, joint.child) - motion_at(j, joint.parent)),
             Scalar(1), work, work.residual);
  });
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    if (work.rows[i].yields) work.residual[i] += work.sigma[i];
  }
  solve_impulses(plan, work.residual, work.sigma_correction, work);
  correct_joints(system, work.sigma_correction, F, work);
  work.executor.each(system.body_count(), [&](int b) {
    correct_body(system, plan, b, work);
    V[at(b)] += work.change[at(b)];
  });
  for (std::size_t i = 0; i < work.sigma.size(); ++i) work.sigma[i] += work.sigma_correction[i];
}

// The next sweep's known impulses: by how much more ballast gives back than in the last one.
template <class Space>
void give_ballast_back(const System<Space>& system, Work<Space>& work) {
  using Force = typename Space::Force;
  for (auto& known : work.known) known = Force::Zero();
  work.ballast.each_guess(system, [&](int b, const Force&, const Force& more) {
    const auto i = at(b);
    const auto& X = work.kin.X_WB[i];
    work.known[i] = shift_force<Space>(-work.mobility[i].com, rotate<Space>(X.R, more));
  });
}

// r of all rows: what those of cuts and couplings are given (null: nothing).
template <class Space>
void set_bias(const typename Space::Scalar* given, Work<Space>& work) {
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    work.r[i] = given != nullptr && row != kNone ? given[row] : typename Space::Scalar(0);
  }
}

// sigma of the rows of cuts and couplings.
template <class Space>
void give_impulses(std::vector<typename Space::Scalar>& result, const Work<Space>& work) {
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const int row = work.rows[i].phi;
    if (row != kNone) result[at(row)] = work.sigma[i];
  }
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
  correct_joints(system, work.sigma, F, work);
  // (3)
  work.executor.each(system.body_count(), [&](int b) {
    correct_body(system, plan, b, work);
    V[at(b)] = work.change[at(b)];
  });
  if (system.ballasted.empty()) {
    if (!work.loses_digits) return;
    for (auto& known : work.known) known = Space::Force::Zero();
    refine(system, plan, V, F, work);
    return;
  }
  const auto motion = [&](int b) ->
      typename Space::Motion { return unrotate<Space>(work.kin.X_WB[at(b)].R, V[at(b)]); };
  work.ballast.start(system, motion);
  while (work.ballast.next()) {
    give_ballast_back(system, work);
    refine(system, plan, V, F, work);
    work.ballast.take(system, motion);
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
  work.executor.each(system.joint_count(), [&](int j) {
    work.Pbar[at(j)] = Space::Force::Zero();
    if (!system.joint(j).has_velocity()) return;
    work.Pbar[at(j)] = work.kin.joint(j).to_world_force(from_free(system.joint(j), p));
  });
  work.executor.each(system.body_count(), [&](int b) {
    work.known[at(b)] = body_impulse(system, plan.compounds[at(b)], work.Pbar, work);
  });
  set_bias(phi, work);
  for (int j = 0; j < system.joint_count() && !system.drives.empty(); ++j) {
    if (system.joint(j).drive == kNone) continue;
    add_rows(j, prescribed_motion(system, work.kin, j), Scalar(-1), work, work.r);
  }
  solve_motion(system, plan, work.kin.V_WB, work.Pbar, work);
  for (auto& v : work.result.v) v = Scalar(0);
  work.executor.each(system.body_count(), [&](int b) {
    add_free(system.joint(b), free_motion(system, work.kin, b), work.result.v.data());
  });
  give_impulses(work.result.sigma, work);
}

}  // namespace hamiltree::hdca
