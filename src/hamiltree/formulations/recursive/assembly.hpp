// Backward pass of the recursive algorithm: from the tips to the base, every joint is eliminated
// from the articulated inertia and momentum of its subtree [Naudet2003 eqs. 42-48].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/ldl.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::recursive {

// What the two passes share about one body, in its own axes at its origin.
template <class Space>
struct Articulated {
  typename Space::Inertia M;  // articulated inertia M*: P* = M* V + D
  typename Space::Force D;    // momentum remainder
  Pose<Space> X_PB;           // the body in its parent
};

// Eliminates the joint of one body:
//   (1)  U  = M* E,  Mj = E^T U
//   (2)  M' = M* - U Mj^-1 U^T
//   (3)  D' = D + U Mj^-1 (p - E^T D)
// The joint's rows and columns of M' vanish and its rows of D' equal p; setting them so keeps the
// digits of slender links.
template <class J, class Space>
void eliminate_joint(const Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1>& p,
                     typename Space::Inertia& M, typename Space::Force& D) {
  if constexpr (J::kVelocities > 0) {
    // (1)
    const auto U = motion_columns<J, Space>(M);
    const Ldl<typename Space::Scalar, J::kVelocities> Mj(motion_rows<J, Space>(U));
    // (2), (3)
    const auto d = project_motion<J, Space>(D);
    const Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1> e = p - d;
    const auto W = Mj.solve(
        Eigen::Matrix<typename Space::Scalar, J::kVelocities, Space::kDimension>(U.transpose()));
    M -= U * W;
    D += W.transpose() * e;
    for (int i = 0; i < J::kVelocities; ++i) {
      const int m = J::kMotion[at(i)];
      M.row(m).setZero();
      M.col(m).setZero();
      D(m) = p(i);
    }
  } else {
    static_cast<void>(p);
    static_cast<void>(M);
    static_cast<void>(D);
  }
}

// The joint's own momenta from the state, turned the way the joint is.
template <class J, class Space>
Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1> joint_momenta(
    const Joint<Space>& joint, const typename Space::Scalar* p) {
  Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1> p_joint;
  for (int i = 0; i < J::kVelocities; ++i) {
    p_joint(i) = typename Space::Scalar(joint.sign) * p[joint.v + i];
  }
  return p_joint;
}

template <class Space>
void assemble(const System<Space>& system, const typename Space::Scalar* p,
              std::vector<Articulated<Space>>& bodies) {
  for (int b = 0; b < system.body_count(); ++b) {
    auto& body = bodies[at(b)];
    body.M = to_matrix<Space>(system.body(b));
    body.D = Space::Force::Zero();
  }
  for (int b = system.body_count() - 1; b >= 0; --b) {
    const auto& joint = system.joint(b);
    if (joint.parent == kNone) continue;
    const auto& body = bodies[at(b)];
    auto M = body.M;
    auto D = body.D;
    visit_joint<Space>(joint.type, [&]<class J>(J) {
      eliminate_joint<J, Space>(joint_momenta<J>(joint, p), M, D);
    });
    auto& parent = bodies[at(joint.parent)];
    parent.M += inertia_to_parent<Space>(body.X_PB, M);
    parent.D += force_to_parent<Space>(body.X_PB, D);
  }
}

}  // namespace hamiltree::recursive
