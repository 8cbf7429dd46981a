// Leaf: the front of a single body from its inertia and the joints on it [Chadaj2017 eqs. 12-16].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

// An impulse at O of joint j, moved to the centre of mass of a body, with the sign of the side: the
// parent feels -F.
template <class Space>
typename Space::Force on_body(const System<Space>& system, int j, int body,
                              const typename Space::Force& F, const Work<Space>& work) {
  const typename Space::Position l = lever(system, work.kin, j, body) - work.mobility[at(body)].com;
  const auto moved = shift_force<Space>(l, F);
  return system.joint(j).child == body ? moved : typename Space::Force(-moved);
}

//   (1)  D_i   = s_i S_Ci D_i                  s = +1 where the body is the child, -1 the parent
//   (2)  Xi_ij = D_i^T M_C^-1 D_j
template <class Space>
void fill_leaf(const System<Space>& system, int b, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& front = work.fronts[at(b)];
  auto& D = work.D[at(b)];
  const auto& mobility = work.mobility[at(b)];
  // (1)
  for (std::size_t i = 0; i < D.size(); ++i) {
    D[i] = Space::Force::Zero();
    for (const auto& end : work.rows[at(front.rows[i])].ends) {
      const auto& joint = system.joint(end.joint);
      if (joint.child != b && joint.parent != b) continue;
      typename Space::Force e = Space::Force::Zero();
      e(end.component) = end.factor;
      D[i] += on_body(system, end.joint, b, work.kin.joint(end.joint).to_world_force(e), work);
    }
  }
  // (2)
  for (int j = 0; j < front.size; ++j) {
    const typename Space::Motion V_j = mobility * D[at(j)];
    for (int i = j; i < front.size; ++i) {
      const Scalar xi = D[at(i)].dot(V_j);
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
  for (const int j : leaf.joints) {
    P += on_body(system, j, b, F[at(j)], work);
  }
  return P;
}

//   xi_i0 = D_i^T M_C^-1 P_0        P_0: what the body receives but for sigma
template <class Space>
void fill_leaf_bias(const Compound& leaf, Work<Space>& work) {
  const auto b = at(leaf.body);
  const typename Space::Motion V_0 = work.mobility[b] * work.known[b];
  auto& front = work.fronts[b];
  for (std::size_t i = 0; i < work.D[b].size(); ++i) front.x[i] = work.D[b][i].dot(V_0);
}

}  // namespace hamiltree::hdca
