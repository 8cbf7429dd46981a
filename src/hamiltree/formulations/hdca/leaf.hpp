// Leaf: the front of a single body from its inertia and the joints on it [Chadaj2017 eqs. 12-16].
#pragma once

#include <cstddef>

#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

// M_C^-1 of a body: world axes at its centre of mass.
template <class Space>
struct Mobility {
  typename Space::Scalar inverse_mass;
  typename Space::AngularInertia J_inverse;
  typename Space::Position com;  // world

  Mobility(const RigidInertia<Space>& body, const Pose<Space>& X_WB)
      : inverse_mass(typename Space::Scalar(1) / body.mass),
        J_inverse(Space::rotate_angular_inertia(X_WB.R, body.J_com_inverse)),
        com(X_WB * body.com) {}

  typename Space::Motion operator*(const typename Space::Force& F) const {
    return stack<Space>(inverse_mass * linear<Space>(F), J_inverse * angular<Space>(F));
  }
};

// An impulse at O of a joint, moved to x (world), with the sign of the side: the parent feels -F.
template <class Space>
typename Space::Force on_body(const Joint<Space>& joint, int body, const Pose<Space>& X_WM,
                              const typename Space::Position& x, const typename Space::Force& F) {
  const auto moved = shift_force<Space>(X_WM.r - x, F);
  return joint.child == body ? moved : typename Space::Force(-moved);
}

//   (1)  A_i   = s_i S_Ci D_i                  s = +1 where the body is the child, -1 the parent
//   (2)  Xi_ij = A_i^T M_C^-1 A_j
//   (3)  xi_i0 = A_i^T M_C^-1 sum_j s_j S_Cj H_j p_j
template <class Space>
void fill_leaf(const System<Space>& system, const Compound& leaf, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const int b = leaf.body;
  auto& front = work.fronts[static_cast<std::size_t>(b)];
  const Mobility<Space> mobility(system.body(b), work.kin.pose(b));

  // (1)
  for (int i = 0; i < front.size; ++i) {
    const auto& row = work.rows[static_cast<std::size_t>(front.rows[static_cast<std::size_t>(i)])];
    const auto& joint = system.joint(row.joint);
    const auto& X_WM = work.X_WM[static_cast<std::size_t>(row.joint)];
    typename Space::Force e = Space::Force::Zero();
    e(joint.constrained[static_cast<std::size_t>(row.component)]) = Scalar(1);
    work.A[static_cast<std::size_t>(i)] =
        on_body(joint, b, X_WM, mobility.com, rotate<Space>(X_WM.R, e));
  }

  // sum_j s_j S_Cj H_j p_j over all joints of the body; cuts carry no p.
  auto& P = work.P_C[static_cast<std::size_t>(b)];
  P = Space::Force::Zero();
  const auto add = [&](int j) {
    const auto& X_WM = work.X_WM[static_cast<std::size_t>(j)];
    P += on_body(system.joint(j), b, X_WM, mobility.com, work.Hp[static_cast<std::size_t>(j)]);
  };
  if (system.joint(b).parent == kNone) add(b);
  for (const int j : leaf.kept) add(j);
  const typename Space::Motion V_0 = mobility * P;

  for (int j = 0; j < front.size; ++j) {
    const typename Space::Force& A_j = work.A[static_cast<std::size_t>(j)];
    // (2)
    const typename Space::Motion V_j = mobility * A_j;
    for (int i = j; i < front.size; ++i) {
      const Scalar xi = work.A[static_cast<std::size_t>(i)].dot(V_j);
      front.at(i, j) = xi;
      front.at(j, i) = xi;
    }
    // (3)
    front.x_at(j) = A_j.dot(V_0);
  }
}

}  // namespace hamiltree::hdca
