// Planar joint, in space only: the child's x-y plane slides on the parent's. The coordinates are x,
// y in m and the angle in rad; velocities are quasi-velocities, v_x and v_y in the child's axes,
// and the angular velocity.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/revolute.hpp"

namespace hamiltree {

template <class Space>
struct PlanarJoint : JointTypeBase<Space, 3, 3> {
  using Base = JointTypeBase<Space, 3, 3>;
  using typename Base::Scalar;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X = Revolute<Space>::pose(q + 2);
    X.r(0) = q[0];
    X.r(1) = q[1];
    return X;
  }

  static constexpr std::array<int, 3> kMotion{0, 1, 5};

  static void coordinate_rates(const Scalar* q, const Scalar* v, Scalar* q_dot) {
    using std::cos;
    using std::sin;
    const Scalar c = cos(q[2]);
    const Scalar s = sin(q[2]);
    q_dot[0] = c * v[0] - s * v[1];
    q_dot[1] = s * v[0] + c * v[1];
    q_dot[2] = v[2];
  }

  // Phi: the height above the parent's plane, then the tilt.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    phi(0) = X_FM.r(2);
    phi.template tail<2>() = tilt(X_FM.R);
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    q[0] = X_FM.r(0);
    q[1] = X_FM.r(1);
    Revolute<Space>::coordinates(X_FM, q + 2);
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
