// Unit quaternions as four coordinates w, x, y, z: what spherical and free joints share. The length
// of the quaternion never enters the rotation, so normalising it changes no pose.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace hamiltree::quaternion {

// R(x / |x|)
template <class Scalar>
Eigen::Matrix<Scalar, 3, 3> rotation(const Scalar* quat_wxyz) {
  const Scalar &w = quat_wxyz[0], &x = quat_wxyz[1], &y = quat_wxyz[2], &z = quat_wxyz[3];
  const Scalar s = Scalar(2) / (w * w + x * x + y * y + z * z);
  const Scalar one(1);
  Eigen::Matrix<Scalar, 3, 3> R;
  R << one - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), one - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), one - s * (x * x + y * y);
  return R;
}

// xdot = G(x)^T omega / 2 for the angular velocity omega in the turned frame's own axes.
template <class Scalar>
void rate(const Scalar* quat_wxyz, const Scalar* omega, Scalar* quat_rate) {
  const Scalar &w = quat_wxyz[0], &x = quat_wxyz[1], &y = quat_wxyz[2], &z = quat_wxyz[3];
  const Scalar &a = omega[0], &b = omega[1], &c = omega[2];
  const Scalar half(0.5);
  quat_rate[0] = half * (-x * a - y * b - z * c);
  quat_rate[1] = half * (w * a - z * b + y * c);
  quat_rate[2] = half * (z * a + w * b - x * c);
  quat_rate[3] = half * (-y * a + x * b + w * c);
}

template <class Scalar>
void from_rotation(const Eigen::Matrix<Scalar, 3, 3>& R, Scalar* quat_wxyz) {
  const Eigen::Quaternion<Scalar> x(R);
  quat_wxyz[0] = x.w();
  quat_wxyz[1] = x.x();
  quat_wxyz[2] = x.y();
  quat_wxyz[3] = x.z();
}

template <class Scalar>
void normalise(Scalar* quat_wxyz) {
  using std::sqrt;
  const Scalar length = sqrt(quat_wxyz[0] * quat_wxyz[0] + quat_wxyz[1] * quat_wxyz[1] +
                             quat_wxyz[2] * quat_wxyz[2] + quat_wxyz[3] * quat_wxyz[3]);
  for (int i = 0; i < 4; ++i) quat_wxyz[i] /= length;
}

}  // namespace hamiltree::quaternion
