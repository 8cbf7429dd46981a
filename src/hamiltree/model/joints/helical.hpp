// Helical joint, in space only: a screw that turns about z of the joint frame and advances along it
// by its pitch, in m per radian. One coordinate, the angle in rad; as a loop-closing joint it may
// stand at any turn.
#pragma once

#include <cmath>
#include <numbers>

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/revolute.hpp"

namespace hamiltree {

template <class Space>
struct Helical : JointTypeBase<Space, 1, 1> {
  using Base = JointTypeBase<Space, 1, 1>;
  using typename Base::Scalar;

  static constexpr const char* kName = "helical";
  static constexpr bool kTakesAxis = true;

  double pitch = 0.0;  // m/rad

  explicit Helical(double advance) : pitch(advance) {}

  Pose<Space> pose(const Scalar* q) const {
    Pose<Space> X = Revolute<Space>::pose(q);
    X.r(2) = Scalar(pitch) * q[0];
    return X;
  }

  // In screw coordinates, see ScrewAxes: there the pitch has turned the screw into a revolute.
  static constexpr std::array<int, 1> kMotion{5};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) { q_dot[0] = v[0]; }

  // Phi: the offset from the parent's axis in the child's x and y, how far the child stands from
  // the nearest thread along the axis, then the tilt.
  typename Base::Residual residual(const Pose<Space>& X_FM) const {
    using std::atan2;
    using std::cos;
    using std::sin;
    const Scalar turn = X_FM.r(2) * Scalar(1.0 / pitch);
    const Scalar c = cos(turn);
    const Scalar s = sin(turn);
    const Scalar C = X_FM.R(0, 0) + X_FM.R(1, 1);
    const Scalar S = X_FM.R(1, 0) - X_FM.R(0, 1);
    typename Base::Residual phi;
    phi.template head<2>() =
        X_FM.R.template topLeftCorner<2, 2>().transpose() * X_FM.r.template head<2>();
    phi(2) = Scalar(pitch) * atan2(s * C - c * S, c * C + s * S);
    phi.template tail<2>() = tilt(X_FM.R);
    return phi;
  }

  void coordinates(const Pose<Space>& X_FM, Scalar* q) const {
    q[0] = X_FM.r(2) * Scalar(1.0 / pitch);
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
