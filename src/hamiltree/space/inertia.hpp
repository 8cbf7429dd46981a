// Inertia: of one rigid body, and as the symmetric matrix M with momentum = M V that also serves
// articulated bodies.
#pragma once

#include <Eigen/Core>

#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

template <class Space>
struct RigidInertia {
  using Scalar = typename Space::Scalar;

  Scalar mass = Scalar(0);                                               // kg
  typename Space::Position com = Space::Position::Zero();                // m, body frame
  typename Space::AngularInertia J_com = Space::AngularInertia::Zero();  // kg m^2, body axes
  typename Space::AngularInertia J_com_inverse = Space::AngularInertia::Zero();

  template <class Other>
  RigidInertia<typename Space::template Rebind<Other>> cast() const {
    return {Other(mass), com.template cast<Other>(), J_com.template cast<Other>(),
            J_com_inverse.template cast<Other>()};
  }
};

// M at the origin of the body frame: [m I, -m c~; m c~, J - m c~ c~] [Chadaj2017 eq. 9].
template <class Space>
typename Space::Inertia to_matrix(const RigidInertia<Space>& body) {
  constexpr int n = Space::kLinear;
  constexpr int a = Space::kAngular;
  const auto c = Space::skew(body.com);
  typename Space::Inertia M;
  M.template topLeftCorner<n, n>() = body.mass * Space::Rotation::Identity();
  M.template topRightCorner<n, a>() = body.mass * c.transpose();
  M.template bottomLeftCorner<a, n>() = body.mass * c;
  M.template bottomRightCorner<a, a>() = body.J_com + body.mass * (c * c.transpose());
  return M;
}

// M V of one rigid body at its frame's origin, in its own axes.
template <class Space>
typename Space::Force momentum(const RigidInertia<Space>& body, const typename Space::Motion& V) {
  const auto omega = angular<Space>(V);
  const typename Space::Position p = body.mass * (linear<Space>(V) + Space::cross(omega, body.com));
  return stack<Space>(p, body.J_com * omega + Space::moment(body.com, p));
}

// X M X^T with X the force transform of the pose: the inertia seen from the parent's frame.
template <class Space>
typename Space::Inertia inertia_to_parent(const Pose<Space>& X, const typename Space::Inertia& M) {
  constexpr int n = Space::kLinear;
  constexpr int a = Space::kAngular;
  using Block = Eigen::Matrix<typename Space::Scalar, n, a>;
  // Rotate the blocks, then shift by r.
  const typename Space::Rotation A = X.R * M.template topLeftCorner<n, n>() * X.R.transpose();
  const Block B0 =
      Space::unrotate_angular_columns(X.R, Block(X.R * M.template topRightCorner<n, a>()));
  const typename Space::AngularInertia C0 =
      Space::rotate_angular_inertia(X.R, M.template bottomRightCorner<a, a>());
  const auto l = Space::skew(X.r);
  const Block B = B0 + A * l.transpose();
  const typename Space::AngularInertia lB = l * B0;
  typename Space::Inertia result;
  result.template topLeftCorner<n, n>() = A;
  result.template topRightCorner<n, a>() = B;
  result.template bottomLeftCorner<a, n>() = B.transpose();
  result.template bottomRightCorner<a, a>() = C0 + lB + lB.transpose() + l * A * l.transpose();
  return result;
}

}  // namespace hamiltree
