// Velocities from momenta [Naudet2003 eq. 45].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/solve.hpp"

namespace hamiltree::recursive {

// v, sigma and the bodies' velocities from p; phi displaces the cuts at frozen time (null: not).
template <class Space>
void solve_velocities(const System<Space>& system, const typename Space::Scalar* p,
                      const typename Space::Scalar* phi, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  work.kin.frozen = phi != nullptr;
  for (int b = 0; b < system.body_count(); ++b) {
    auto& body = work.bodies[at(b)];
    body.bias = Space::Force::Zero();
    body.is_given = system.joint(b).drive != kNone && !work.kin.frozen;
    if (body.is_given) {
      body.given =
          body.outward * work.kin.joint(b).to_joint_motion(prescribed_motion(system, work.kin, b));
    }
  }
  for (std::size_t k = 0; k < work.free_force.size(); ++k) work.free_force[k] = p[k];
  for (std::size_t i = 0; i < work.r.size(); ++i) work.r[i] = phi == nullptr ? Scalar(0) : phi[i];
  prescribe_cuts(
      system, [&](int c) { return prescribed_motion(system, work.kin, c); }, work);
  solve(system, work.result.v.data(), work);
  for (int b = 0; b < system.body_count(); ++b) {
    work.kin.V_WB[at(b)] = rotate<Space>(work.kin.X_WB[at(b)].R, work.bodies[at(b)].V);
  }
  for (std::size_t i = 0; i < work.result.sigma.size(); ++i) work.result.sigma[i] = work.values[i];
}

}  // namespace hamiltree::recursive
