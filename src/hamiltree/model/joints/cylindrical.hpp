// Cylindrical joint, in space only: slides along z of the joint frame and turns about it. The
// coordinates are the displacement in m and the angle in rad.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/revolute.hpp"

namespace hamiltree {

template <class Space>
struct Cylindrical : JointTypeBase<Space, 2, 2> {
  using Base = JointTypeBase<Space, 2, 2>;
  using typename Base::Scalar;

  static constexpr const char* kName = "cylindrical";
  static constexpr bool kTakesAxis = true;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X = Revolute<Space>::pose(q + 1);
    X.r(2) = q[0];
    return X;
  }

  static constexpr std::array<int, 2> kMotion{2, 5};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) {
    q_dot[0] = v[0];
    q_dot[1] = v[1];
  }

  // Phi: the offset from the parent's axis, turned to the child's x and y (the displacement along
  // the axis is not small and must not mix in), then the tilt.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    phi.template head<2>() =
        X_FM.R.template topLeftCorner<2, 2>().transpose() * X_FM.r.template head<2>();
    phi.template tail<2>() = tilt(X_FM.R);
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    q[0] = X_FM.r(2);
    Revolute<Space>::coordinates(X_FM, q + 1);
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
