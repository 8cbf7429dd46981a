// Last pass of the recursive algorithm: accumulated loads and the rates of the momenta
// [Naudet2003 eqs. 27, 35].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/solve.hpp"

namespace hamiltree::recursive {

//   (1)  T* = T + sum over children of X T*
//   (2)  P* = M* V + D - F sigma
//   (3)  pdot = H^T (T* - V_J x* P*) + effort
template <class Space>
void solve_momentum_rates(const System<Space>& system, Work<Space>& work) {
  // (1) in world axes, where the loads are given
  cut_impulses(system, work);
  add_cut_loads(system, work.impulse, work);
  accumulate(system, work.kin, work.loads.body);
  for (int b = 0; b < system.body_count(); ++b) {
    // (2)
    const auto P = rotate<Space>(work.kin.X_WB[at(b)].R, transmitted(b, work));
    // (3)
    momentum_rate<Space>(system, b, at_joint(system, work.kin, b, P), work.loads.body[at(b)], work);
  }
}

}  // namespace hamiltree::recursive
