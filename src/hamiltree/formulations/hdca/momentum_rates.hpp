// Momentum rates: loads accumulate up the plan and come down as articulated loads
// [Chadaj2017 eqs. 70-77]. Where every join along the tree is connected in the tree, the load
// behind its joint is that of its right side plus what hangs on it further out.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/work.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::hdca {

// Qbar_k = Q_C + sum over tree joints h outboard of C of S_kh Qbar_h, for the joint k that carries
// C
template <class Space>
void articulate_load(const Compound& compound, int c, Work<Space>& work) {
  const auto k = at(compound.root);
  auto& Qbar = work.Qbar[k];
  Qbar = work.Q[at(c)];
  for (const int h : compound.outboard) {
    const auto i = at(h);
    Qbar += shift_force<Space>(work.kin.X_WB[i].r - work.kin.X_WB[k].r, work.Qbar[i]);
  }
}

//   (1)  Q_C = Q_A + S_12 Q_B                                   upwards [eq. 58]
//   (2)  Qbar_k                                                 downwards [eq. 76]
template <class Space>
void articulate_loads(const System<Space>& system, const Plan& plan, Work<Space>& work) {
  // (1)
  const int count = static_cast<int>(plan.compounds.size());
  work.executor.up(count, [&](int c) {
    const auto i = at(c);
    const auto& compound = plan.compounds[i];
    if (compound.body != kNone) {
      work.Q[i] = work.loads.body[at(compound.body)];
    } else if (compound.tree_joint != kNone) {
      const auto l = work.kin.X_WB[at(compound.tree_joint)].r - work.kin.X_WB[at(compound.root)].r;
      work.Q[i] = work.Q[at(compound.left)] + shift_force<Space>(l, work.Q[at(compound.right)]);
    }
  });
  // (2)
  work.executor.down(count, [&](int c) {
    const auto& compound = plan.compounds[at(c)];
    if (compound.tree_joint != kNone) {
      articulate_load(plan.compounds[at(compound.right)], compound.right, work);
    } else if (compound.body != kNone && system.inboard(compound.body) == kNone) {
      articulate_load(compound, c, work);
    }
  });
}

// Qbar_k where compounds are not connected in the tree, body by body:
//   Qbar_k = Q_k + sum over tree joints h on body k of S_kh Qbar_h
template <class Space>
void sum_loads(const System<Space>& system, Work<Space>& work) {
  work.Qbar = work.loads.body;
  for (int b = system.body_count(); b-- > 0;) {
    const int k = system.inboard(b);
    if (k == kNone) continue;
    work.Qbar[at(k)] +=
        shift_force<Space>(work.kin.X_WB[at(b)].r - work.kin.X_WB[at(k)].r, work.Qbar[at(b)]);
  }
}

//   (3)  pdot_k = H_k^T (Qbar_k - V_J x* Pbar_k) + effort       every tree joint [eq. 77]
//   (4)  pdot_k += P'' v_k sigma                                leaders of curved couplings
template <class Space>
void solve_momentum_rates(const System<Space>& system, const Plan& plan, Work<Space>& work) {
  if (plan.along_tree) {
    articulate_loads(system, plan, work);
  } else {
    sum_loads(system, work);
  }
  // (3)
  work.executor.each(system.body_count(), [&](int b) {
    momentum_rate(system, b, work.Pbar[at(b)], work.Qbar[at(b)], work);
  });
  // (4)
  add_coupling_rates(system, work.kin, work.result.v.data(), work.result.sigma.data(),
                     work.result.p_dot.data());
}

}  // namespace hamiltree::hdca
