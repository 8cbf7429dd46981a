// Spherical joint, in space only: turns about every axis. The coordinates are the unit quaternion
// w, x, y, z; velocities are quasi-velocities, the child's relative angular velocity in its own
// axes.
#pragma once

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/quaternion.hpp"

namespace hamiltree {

template <class Space>
struct Spherical : JointTypeBase<Space, 4, 3> {
  using Base = JointTypeBase<Space, 4, 3>;
  using typename Base::Scalar;

  static constexpr const char* kName = "spherical";

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X;
    X.R = quaternion::rotation(q);
    return X;
  }

  static constexpr std::array<int, 3> kMotion{3, 4, 5};

  static void coordinate_rates(const Scalar* q, const Scalar* v, Scalar* q_dot) {
    quaternion::rate(q, v, q_dot);
  }

  static void conjugate(const Scalar* q, const Scalar* p, Scalar* y) {
    quaternion::conjugate(q, p, y);
  }
  static void quasi_momenta(const Scalar* q, const Scalar* y, Scalar* p) {
    quaternion::quasi_momenta(q, y, p);
  }
  static void conjugate_rates(const Scalar* q, const Scalar* y, const Scalar* p, const Scalar* v,
                              const Scalar* p_dot, Scalar* y_dot) {
    quaternion::conjugate_rates(q, y, p, v, p_dot, y_dot);
  }

  // Phi: the child's origin as the child sees it.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    return X_FM.R.transpose() * X_FM.r;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    quaternion::from_rotation(X_FM.R, q);
  }

  static void normalise(Scalar* q) { quaternion::normalise(q); }
};

}  // namespace hamiltree
