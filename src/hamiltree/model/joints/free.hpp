// Free joint: no constraint. In the plane the coordinates are x, y, angle; in space x, y, z and the
// unit quaternion w, x, y, z. Velocities are quasi-velocities: linear and angular velocity of the
// child in the child's own axes, so that the motion subspace is the identity and momenta are
// conjugate to body-frame quasi-velocities.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Free : JointTypeBase<Space, Space::kIsPlanar ? 3 : 7, Space::kDimension> {
  using Base = JointTypeBase<Space, Space::kIsPlanar ? 3 : 7, Space::kDimension>;
  using typename Base::Scalar;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X;
    for (int i = 0; i < Space::kLinear; ++i) X.r(i) = q[i];
    if constexpr (Space::kIsPlanar) {
      using std::cos;
      using std::sin;
      const Scalar c = cos(q[2]);
      const Scalar s = sin(q[2]);
      X.R << c, -s, s, c;
    } else {
      // R(x / |x|): the length of the quaternion never enters the pose.
      const Scalar &w = q[3], &x = q[4], &y = q[5], &z = q[6];
      const Scalar s = Scalar(2) / (w * w + x * x + y * y + z * z);
      X.R << Scalar(1) - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
          s * (x * y + w * z), Scalar(1) - s * (x * x + z * z), s * (y * z - w * x),
          s * (x * z - w * y), s * (y * z + w * x), Scalar(1) - s * (x * x + y * y);
    }
    return X;
  }

  static constexpr auto kMotion = first_indices<Space::kDimension>();

  static void coordinate_rates(const Scalar* q, const Scalar* v, Scalar* q_dot) {
    const typename Space::Position v_M = Eigen::Map<const typename Space::Position>(v);
    const typename Space::Position r_dot = pose(q).R * v_M;
    for (int i = 0; i < Space::kLinear; ++i) q_dot[i] = r_dot(i);
    if constexpr (Space::kIsPlanar) {
      q_dot[2] = v[2];
    } else {
      // xdot = G(x)^T omega / 2
      const Scalar &w = q[3], &x = q[4], &y = q[5], &z = q[6];
      const Scalar &a = v[3], &b = v[4], &c = v[5];
      const Scalar half(0.5);
      q_dot[3] = half * (-x * a - y * b - z * c);
      q_dot[4] = half * (w * a - z * b + y * c);
      q_dot[5] = half * (z * a + w * b - x * c);
      q_dot[6] = half * (-y * a + x * b + w * c);
    }
  }

  static typename Base::Residual residual(const Pose<Space>&) { return {}; }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    for (int i = 0; i < Space::kLinear; ++i) q[i] = X_FM.r(i);
    if constexpr (Space::kIsPlanar) {
      using std::atan2;
      q[2] = atan2(X_FM.R(1, 0), X_FM.R(0, 0));
    } else {
      const Eigen::Quaternion<Scalar> x(X_FM.R);
      q[3] = x.w();
      q[4] = x.x();
      q[5] = x.y();
      q[6] = x.z();
    }
  }

  static void normalise(Scalar* q) {
    if constexpr (!Space::kIsPlanar) {
      using std::sqrt;
      const Scalar length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
      for (int i = 3; i < 7; ++i) q[i] /= length;
    } else {
      static_cast<void>(q);
    }
  }
};

}  // namespace hamiltree
