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

  static constexpr const char* kName = "planar";
  static constexpr bool kTakesAxis = true;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X = Revolute<Space>::pose(q + 2);
    X.r(0) = q[0];
    X.r(1) = q[1];
    return X;
  }

  static constexpr std::array<int, 3> kMotion{0, 1, 5};

  static void coordinate_rates(const Scalar* q, const Scalar* v, Scalar* q_dot) {
    to_parent(q[2], v, q_dot);
  }

  // The linear momentum in the parent's axes is conjugate to the position.
  static void conjugate(const Scalar* q, const Scalar* p, Scalar* y) { to_parent(q[2], p, y); }
  static void quasi_momenta(const Scalar* q, const Scalar* y, Scalar* p) { to_parent(-q[2], y, p); }
  static void conjugate_rates(const Scalar* q, const Scalar*, const Scalar* p, const Scalar* v,
                              const Scalar* p_dot, Scalar* y_dot) {
    const Scalar rates[3]{p_dot[0] - v[2] * p[1], p_dot[1] + v[2] * p[0], p_dot[2]};
    to_parent(q[2], rates, y_dot);
  }

  // Turns the linear part of a planar vector.
  static void to_parent(const Scalar& angle, const Scalar* in_child, Scalar* in_parent) {
    using std::cos;
    using std::sin;
    const Scalar c = cos(angle);
    const Scalar s = sin(angle);
    in_parent[0] = c * in_child[0] - s * in_child[1];
    in_parent[1] = s * in_child[0] + c * in_child[1];
    in_parent[2] = in_child[2];
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
