// Last pass of the recursive algorithm: accumulated loads and the rates of the momenta
// [Naudet2003 eqs. 27, 35].
#pragma once

#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/solve.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::recursive {

//   (1)  T* = T + sum over children of X T*
//   (2)  P* = M* V + D - F sigma
//   (3)  pdot = H^T (T* - V_J x* P*) + effort
//   (4)  pdot += P'' v sigma                       leaders of curved couplings
template <class Space>
void solve_momentum_rates(const System<Space>& system, Work<Space>& work) {
  // (1) in world axes, where the loads are given
  cut_impulses(system, work);
  add_cut_loads(system, work.impulse, work);
  accumulate(system, work.kin, work.loads.body);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& body = work.bodies[at(b)];
    const auto& R = work.kin.X_WB[at(b)].R;
    // (2)
    const auto P = transmitted(b, work);
    // (3) in the body's axes where they are the joint's
    if (body.apart) {
      momentum_rate<Space>(
          system, b, at_joint(system, work.kin, b, typename Space::Force(rotate<Space>(R, P))),
          work.loads.body[at(b)], work);
      continue;
    }
    typename Space::Force rate =
        unrotate<Space>(R, work.loads.body[at(b)]) - cross_force<Space>(body.V, P);
    to_screw_force<Space>(system.joint(b).pitch, rate);
    set_momentum_rate(system.joint(b), b, rate, work);
  }
  // (4)
  add_coupling_rates(system, work.kin, work.result.v.data(), work.result.sigma.data(),
                     work.result.p_dot.data());
}

// Pbar and Qbar of a joint, world axes at O, after solve_momentum_rates(). What a cut transmits
// turns with its frame J: Qbar = V_J x* Pbar. What leaks out of the impulses of loops is no
// momentum that joints transmit; add_leak() has left it in the Kinematics.
template <class Space>
std::pair<typename Space::Force, typename Space::Force> carried(const System<Space>& system, int j,
                                                                double leak,
                                                                const Work<Space>& work) {
  using Force = typename Space::Force;
  if (system.joint(j).is_cut()) {
    const auto& P = work.impulse[at(j)];
    return {P, cross_force<Space>(frame_motion(system, work.kin, j), P) -
                   P * typename Space::Scalar(leak)};
  }
  const Force P = rotate<Space>(work.kin.X_WB[at(j)].R, transmitted(j, work));
  Force Q = work.loads.body[at(j)];
  if (leak != 0.0) Q += work.kin.P[at(j)];
  return {at_joint(system, work.kin, j, P), at_joint(system, work.kin, j, Q)};
}

}  // namespace hamiltree::recursive
