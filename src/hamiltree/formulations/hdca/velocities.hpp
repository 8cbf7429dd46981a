// Disassembly: impulses of all joints top-down, then velocities of all bodies and joints
// [Chadaj2017 eqs. 15, 23, 29].
#pragma once

#include <cstddef>

#include "hamiltree/formulations/hdca/leaf.hpp"

namespace hamiltree::hdca {

//   (1)  sigma = -K (Xi_ie sigma_e + xi_i0 + r)          every compound, from the top
//   (2)  Pbar_j = D_j sigma_j + H_j p_j                  every joint
//   (3)  V_C = M_C^-1 sum_j s_j S_Cj Pbar_j              every body
//   (4)  qdot_k = H_k^T (V_child - V_parent)             every tree joint, both at O_k
template <class Space>
void disassemble(const System<Space>& system, const Plan& plan, Work<Space>& work) {
  // (1)
  for (auto front = work.fronts.rbegin(); front != work.fronts.rend(); ++front) {
    substitute(*front, work.sigma);
  }
  // (2)
  for (std::size_t j = 0; j < work.Pbar.size(); ++j) work.Pbar[j] = work.Hp[j];
  for (std::size_t r = 0; r < work.rows.size(); ++r) {
    const auto& row = work.rows[r];
    const auto j = static_cast<std::size_t>(row.joint);
    typename Space::Force T = Space::Force::Zero();
    T(system.joint(row.joint).constrained[static_cast<std::size_t>(row.component)]) =
        work.sigma[r];
    work.Pbar[j] += rotate<Space>(work.X_WM[j].R, T);
    if (row.phi != kNone) work.result.sigma[static_cast<std::size_t>(row.phi)] = work.sigma[r];
  }
  // (3)
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& leaf = plan.compounds[static_cast<std::size_t>(b)];
    const Mobility<Space> mobility(system.body(b), work.kin.pose(b));
    typename Space::Force P = Space::Force::Zero();
    const auto add = [&](int j) {
      const auto i = static_cast<std::size_t>(j);
      P += on_body(system.joint(j), b, work.X_WM[i], mobility.com, work.Pbar[i]);
    };
    for (const int j : leaf.eliminated) add(j);
    if (system.joint(b).parent == kNone && system.joint(b).constraints == 0) add(b);
    for (const int j : leaf.kept) add(j);
    work.kin.V_WB[static_cast<std::size_t>(b)] =
        shift_motion<Space>(work.kin.pose(b).r - mobility.com, mobility * P);
  }
  // (4)
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities; ++i) {
      work.result.v[static_cast<std::size_t>(joint.v + i)] = typename Space::Scalar(0);
    }
    add_projection(joint, relative_motion(system, work.kin, b), work.result.v.data());
  }
}

}  // namespace hamiltree::hdca
