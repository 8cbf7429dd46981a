// Universal joint, in space only: turns about x of the parent's frame, then about y of the child's.
// The coordinates are the two angles in rad. Its own frame J is that of the cross: x along the
// parent's x, y along the child's y, where H is constant.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Universal : JointTypeBase<Space, 2, 2> {
  using Base = JointTypeBase<Space, 2, 2>;
  using typename Base::Scalar;

  static constexpr const char* kName = "universal";
  static constexpr bool kOwnFrame = true;

  static Pose<Space> pose(const Scalar* q) {
    using std::cos;
    using std::sin;
    const Scalar c = cos(q[1]);
    const Scalar s = sin(q[1]);
    Pose<Space> X_JM;
    X_JM.R(0, 0) = c;
    X_JM.R(0, 2) = s;
    X_JM.R(2, 0) = -s;
    X_JM.R(2, 2) = c;
    return cross_frame(cos(q[0]), sin(q[0])) * X_JM;
  }

  // X_FJ: y of the child, seen in F, is (0, cos, sin) of the first angle.
  static Pose<Space> frame(const Pose<Space>& X_FM) {
    using std::sqrt;
    const Scalar length = sqrt(X_FM.R(1, 1) * X_FM.R(1, 1) + X_FM.R(2, 1) * X_FM.R(2, 1));
    Pose<Space> X = cross_frame(X_FM.R(1, 1) / length, X_FM.R(2, 1) / length);
    X.r = X_FM.r;
    return X;
  }

  static constexpr std::array<int, 2> kMotion{3, 4};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) {
    q_dot[0] = v[0];
    q_dot[1] = v[1];
  }

  // Phi: the child's origin as the cross sees it, then how far the two axes are from a right angle.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    phi.template head<3>() = frame(X_FM).R.transpose() * X_FM.r;
    phi(3) = -X_FM.R(0, 1);
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    using std::atan2;
    q[0] = atan2(X_FM.R(2, 1), X_FM.R(1, 1));
    q[1] = atan2(X_FM.R(0, 2), X_FM.R(0, 0));
  }

  static void normalise(Scalar*) {}

 private:
  static Pose<Space> cross_frame(const Scalar& c, const Scalar& s) {
    Pose<Space> X;
    X.R(1, 1) = c;
    X.R(1, 2) = -s;
    X.R(2, 1) = s;
    X.R(2, 2) = c;
    return X;
  }
};

}  // namespace hamiltree
