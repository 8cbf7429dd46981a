// Velocities from momenta [Naudet2003 eq. 45].
#pragma once

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/solve.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::recursive {

// Adds what the rows still miss, by the same factors: beside singular poses the impulses have lost
// as many digits as the pivots are small.
template <class Space>
void refine(const System<Space>& system, const typename Space::Scalar* phi, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& v = work.result.v;
  std::ranges::copy(work.values, work.first_values.begin());
  std::ranges::copy(v, work.first_v.begin());
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    auto& body = work.bodies[b];
    work.first[b] = {body.V, body.D};
    work.kin.V_WB[b] = rotate<Space>(work.kin.X_WB[b].R, body.V);
    body.is_given = false;
    body.D = Space::Force::Zero();
  }
  velocity_residual(system, work.kin, work.r.data());
  for (std::size_t i = 0; phi != nullptr && i < work.r.size(); ++i) work.r[i] += phi[i];
  for (auto& p : work.free_force) p = Scalar(0);
  sweep(system, v.data(), work);
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    work.bodies[b].V += work.first[b].V;
    work.bodies[b].D += work.first[b].D;
  }
  for (std::size_t i = 0; i < work.values.size(); ++i) work.values[i] += work.first_values[i];
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += work.first_v[i];
}

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
  if (work.refines) refine(system, phi, work);
  for (int b = 0; b < system.body_count(); ++b) {
    work.kin.V_WB[at(b)] = rotate<Space>(work.kin.X_WB[at(b)].R, work.bodies[at(b)].V);
  }
  for (std::size_t i = 0; i < work.result.sigma.size(); ++i) work.result.sigma[i] = work.values[i];
}

}  // namespace hamiltree::recursive
