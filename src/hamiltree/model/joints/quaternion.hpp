// Unit quaternions as four coordinates w, x, y, z: what spherical and free joints share. The length
// of the quaternion never enters the rotation, so normalising it changes no pose.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "hamiltree/model/joints/quaternion_entries.hpp"

namespace hamiltree::quaternion {

// R(x / |x|)
template <class Scalar>
Eigen::Matrix<Scalar, 3, 3> rotation(const Scalar* quat_wxyz) {
  const auto R = rotation_entries(quat_wxyz);
  return Eigen::Map<const Eigen::Matrix<Scalar, 3, 3, Eigen::RowMajor>>(R.data());
}

// The conjugate pair of a quaternion x: y with p^T omega = y^T xdot. x need not have unit length,
// and y no part along x: whatever they have there does not matter and is kept.
//   y = 2 G(x)^T p / |x|^2        p = G(x) y / 2
template <class Scalar>
void conjugate(const Scalar* quat_wxyz, const Scalar* p, Scalar* y) {
  rate(quat_wxyz, p, y);
  Scalar square(0);
  for (int i = 0; i < 4; ++i) square += quat_wxyz[i] * quat_wxyz[i];
  for (int i = 0; i < 4; ++i) y[i] *= Scalar(4) / square;
}
template <class Scalar>
void quasi_momenta(const Scalar* quat_wxyz, const Scalar* conjugate, Scalar* p) {
  const Scalar &w = quat_wxyz[0], &x = quat_wxyz[1], &y = quat_wxyz[2], &z = quat_wxyz[3];
  const Scalar *u = conjugate, half(0.5);
  p[0] = half * (-x * u[0] + w * u[1] + z * u[2] - y * u[3]);
  p[1] = half * (-y * u[0] - z * u[1] + w * u[2] + x * u[3]);
  p[2] = half * (-z * u[0] + y * u[1] - x * u[2] + w * u[3]);
}

//   ydot = G(y)^T omega / 2 + 2 G(x)^T f / |x|^2        f = pdot - p x omega
template <class Scalar>
void conjugate_rates(const Scalar* quat_wxyz, const Scalar* y, const Scalar* p, const Scalar* omega,
                     const Scalar* p_dot, Scalar* y_dot) {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  const Eigen::Map<const Vector> momentum(p), turning(omega), given(p_dot);
  const Vector f = given - momentum.cross(turning);
  conjugate(quat_wxyz, f.data(), y_dot);
  Scalar turned[4];
  rate(y, omega, turned);
  for (int i = 0; i < 4; ++i) y_dot[i] += turned[i];
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
