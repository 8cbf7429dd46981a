// Rotations and rates of quaternions w, x, y, z, entry by entry: for kernels that see no library.
#pragma once

#include <array>

namespace hamiltree::quaternion {

// R(x / |x|), row by row.
template <class Scalar>
std::array<Scalar, 9> rotation_entries(const Scalar* quat_wxyz) {
  const Scalar &w = quat_wxyz[0], &x = quat_wxyz[1], &y = quat_wxyz[2], &z = quat_wxyz[3];
  const Scalar s = Scalar(2) / (w * w + x * x + y * y + z * z);
  const Scalar one(1);
  return {one - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
          s * (x * y + w * z),       one - s * (x * x + z * z), s * (y * z - w * x),
          s * (x * z - w * y),       s * (y * z + w * x),       one - s * (x * x + y * y)};
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

}  // namespace hamiltree::quaternion
