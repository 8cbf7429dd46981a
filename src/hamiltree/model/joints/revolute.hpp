// Revolute joint: turns about z of the joint frame. One coordinate, the angle in rad.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Revolute : JointTypeBase<Space, 1, 1> {
  using Base = JointTypeBase<Space, 1, 1>;
  using typename Base::Scalar;

  static constexpr const char* kName = "revolute";
  static constexpr bool kInPlane = true;
  static constexpr bool kTakesAxis = !Space::kIsPlanar;

  static Pose<Space> pose(const Scalar* q) {
    using std::cos;
    using std::sin;
    const Scalar c = cos(q[0]);
    const Scalar s = sin(q[0]);
    Pose<Space> X;
    X.R(0, 0) = c;
    X.R(0, 1) = -s;
    X.R(1, 0) = s;
    X.R(1, 1) = c;
    return X;
  }

  static constexpr std::array<int, 1> kMotion{Space::kDimension - 1};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) { q_dot[0] = v[0]; }

  // Phi: the child's origin as the child sees it; in space also the tilt of its z axis.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    phi.template head<Space::kLinear>() = X_FM.R.transpose() * X_FM.r;
    if constexpr (!Space::kIsPlanar) phi.template tail<2>() = tilt(X_FM.R);
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    using std::atan2;
    q[0] = atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
