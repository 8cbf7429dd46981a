// Leaf: the front of a single body from its inertia and the joints on it [Chadaj2017 eqs. 12-16].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

// An impulse at O of a joint, moved to x (world), with the sign of the side: the parent feels -F.
template <class Space>
typename Space::Force on_body(const Joint<Space>& joint, int body, const Pose<Space>& X_WM,
                              const typename Space::Position& x, const typename Space::Force& F) {
  const auto moved = shift_force<Space>(X_WM.r - x, F);
  return joint.child == body ? moved : typename Space::Force(-moved);
}

//   (1)  A_i   = s_i S_Ci D_i                  s = +1 where the body is the child, -1 the parent
//   (2)  Xi_ij = A_i^T M_C^-1 A_j
template <class Space>
void fill_leaf(const System<Space>& system, int b, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& front = work.fronts[at(b)];
  auto& A = work.A[at(b)];
  const auto& mobility = work.mobility[at(b)];
  // (1)
  for (std::size_t i = 0; i < A.size(); ++i) {
    const auto& row = work.rows[at(front.rows[i])];
    const auto& joint = system.joint(row.joint);
    const auto& X_WM = work.X_WM[at(row.joint)];
    typename Space::Force e = Space::Force::Zero();
    e(joint.constrained[at(row.component)]) = Scalar(1);
    A[i] = on_body(joint, b, X_WM, mobility.com, rotate<Space>(X_WM.R, e));
  }
  // (2)
  for (int j = 0; j < front.size; ++j) {
    const typename Space::Motion V_j = mobility * A[at(j)];
    for (int i = j; i < front.size; ++i) {
      const Scalar xi = A[at(i)].dot(V_j);
      front.xi(i, j) = xi;
      front.xi(j, i) = xi;
    }
  }
}

// Momentum of a body about its centre of mass from the impulses of all its joints, world axes:
// sum_j s_j S_Cj F_j with F_j at O_j.
template <class Space>
typename Space::Force body_impulse(const System<Space>& system, const Compound& leaf,
                                   const std::vector<typename Space::Force>& F,
                                   const Work<Space>& work) {
  const int b = leaf.body;
  typename Space::Force P = Space::Force::Zero();
  const auto add = [&](int j) {
    const auto i = at(j);
    P += on_body(system.joint(j), b, work.X_WM[i], work.mobility[at(b)].com, F[i]);
  };
  for (const int j : leaf.joints) add(j);
  return P;
}

//   xi_i0 = A_i^T M_C^-1 sum_j s_j S_Cj H_j p_j
template <class Space>
void fill_leaf_bias(const System<Space>& system, const Compound& leaf,
                    const std::vector<typename Space::Force>& Hp, Work<Space>& work) {
  const auto b = at(leaf.body);
  const typename Space::Motion V_0 = work.mobility[b] * body_impulse(system, leaf, Hp, work);
  auto& front = work.fronts[b];
  for (std::size_t i = 0; i < work.A[b].size(); ++i) front.x[i] = work.A[b][i].dot(V_0);
}

}  // namespace hamiltree::hdca
