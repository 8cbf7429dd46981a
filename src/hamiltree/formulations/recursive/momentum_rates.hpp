// Last pass of the recursive algorithm: accumulated loads and the rates of the momenta
// [Naudet2003 eqs. 27, 35].
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/formulations/recursive/assembly.hpp"

namespace hamiltree::recursive {

//   (1)  T* = T + sum over children of X T*
//   (2)  P* = M* V + D
//   (3)  pdot = E^T (T* - V x* P*) + effort
template <class Space>
void solve_momentum_rates(const System<Space>& system,
                          const std::vector<Articulated<Space>>& bodies,
                          const std::vector<typename Space::Motion>& V, RateWork<Space>& work) {
  // (1) in world axes, where the loads are given
  accumulate(system, work.kin, work.loads.body);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto i = at(b);
    const auto T = unrotate<Space>(work.kin.X_WB[i].R, work.loads.body[i]);
    // (2)
    const typename Space::Force P = bodies[i].M * V[i] + bodies[i].D;
    // (3)
    momentum_rate(system.joint(b), V[i], P, T, work.loads, work.result.p_dot.data());
  }
}

}  // namespace hamiltree::recursive
