// Base of every joint type. A joint type is a small struct template over the Space:
//   kName                    its word in files and messages
//   kInPlane, kTakesAxis     whether it exists in the plane, too; whether `axis` of a model file
//   turns
//                            its frames
//   pose(q)                  X_FM, the child's joint frame M in the parent's joint frame F
//   frame(X_FM)              X_FJ, only with kOwnFrame: the frame J at M's origin in which H is
//                            constant; for all others J is M. Where J is neither, it moves as M
//                            does but for the last velocity of the joint
//   kMotion                  which components of a motion in J the joint leaves free: the columns
//                            of H are these unit vectors; the others are the columns of D
//   coordinate_rates(q, v)   qdot; differs from v only for quasi-velocities
//   residual(X_FM)           Phi, one entry per column of D, m and rad; on the constraint its rate
//                            is D^T (V_child - V_parent) in J's axes at its origin
//   coordinates(X_FM)        q of a pose that the joint allows; angles in (-pi, pi]
//   normalise(q)             puts redundant coordinates back on their manifold
// and, for quasi-velocities, where momenta p of v are not conjugate to q but y are, p^T v = y^T
// qdot:
//   conjugate(q, p)          y; linear in p
//   quasi_momenta(q, y)      p
//   conjugate_rates(q, y, p, v, p_dot)   y_dot
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>

#include "hamiltree/base/index.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

template <class Space, int Coordinates, int Velocities>
struct JointTypeBase {
  using Scalar = typename Space::Scalar;
  static constexpr int kCoordinates = Coordinates;
  static constexpr int kVelocities = Velocities;
  static constexpr int kConstraints = Space::kDimension - Velocities;
  static constexpr int kLinear = Space::kLinear;
  static constexpr bool kOwnFrame = false;
  static constexpr bool kInPlane = false;
  static constexpr bool kTakesAxis = false;
  using Residual = Eigen::Matrix<Scalar, kConstraints, 1>;

  static void conjugate(const Scalar*, const Scalar* p, Scalar* y) {
    std::copy(p, p + Velocities, y);
  }
  static void quasi_momenta(const Scalar*, const Scalar* y, Scalar* p) {
    std::copy(y, y + Velocities, p);
  }
  static void conjugate_rates(const Scalar*, const Scalar*, const Scalar*, const Scalar*,
                              const Scalar* p_dot, Scalar* y_dot) {
    std::copy(p_dot, p_dot + Velocities, y_dot);
  }
};

template <int N>
constexpr std::array<int, N> first_indices() {
  std::array<int, N> indices{};
  for (int i = 0; i < N; ++i) indices[at(i)] = i;
  return indices;
}

// The indices of 0..Dimension-1 that are not in `motion`, ascending.
template <int Dimension, std::size_t N>
constexpr std::array<int, at(Dimension) - N> complement(const std::array<int, N>& motion) {
  std::array<int, at(Dimension) - N> rest{};
  std::size_t k = 0;
  for (int i = 0; i < Dimension; ++i) {
    bool free = false;
    for (const int m : motion) free = free || m == i;
    if (!free) rest[k++] = i;
  }
  return rest;
}

// The small products with H and D of a joint type J, in its coordinates: both only pick components.
template <class J, class Space>
typename Space::Motion motion(const typename Space::Scalar* v) {  // H v
  typename Space::Motion V = Space::Motion::Zero();
  for (std::size_t i = 0; i < J::kMotion.size(); ++i) V(J::kMotion[i]) = v[i];
  return V;
}
template <class J, class Space>
Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1> project_motion(  // H^T F
    const typename Space::Force& F) {
  Eigen::Matrix<typename Space::Scalar, J::kVelocities, 1> p;
  for (int i = 0; i < J::kVelocities; ++i) p(i) = F(J::kMotion[at(i)]);
  return p;
}
template <class J, class Space>
Eigen::Matrix<typename Space::Scalar, Space::kDimension, J::kVelocities> motion_columns(  // M H
    const typename Space::Inertia& M) {
  Eigen::Matrix<typename Space::Scalar, Space::kDimension, J::kVelocities> U;
  for (int i = 0; i < J::kVelocities; ++i) U.col(i) = M.col(J::kMotion[at(i)]);
  return U;
}
template <class J, class Space>
Eigen::Matrix<typename Space::Scalar, J::kVelocities, J::kVelocities> motion_rows(  // H^T U
    const Eigen::Matrix<typename Space::Scalar, Space::kDimension, J::kVelocities>& U) {
  Eigen::Matrix<typename Space::Scalar, J::kVelocities, J::kVelocities> m;
  for (int i = 0; i < J::kVelocities; ++i) m.row(i) = U.row(J::kMotion[at(i)]);
  return m;
}

// 2 tan(tilt/2) about the child's x and y: how far the z axes are from each other. Zero only when
// they agree, not when they are opposed.
template <class Scalar>
Eigen::Matrix<Scalar, 2, 1> tilt(const Eigen::Matrix<Scalar, 3, 3>& R) {
  const Scalar scale = Scalar(2) / (Scalar(1) + R(2, 2));
  return {scale * R(2, 1), -scale * R(2, 0)};
}

// 2 tan(angle/2) times the axis of a rotation: close to the rotation vector when small, and zero
// only for no rotation at all.
template <class Space>
typename Space::Angular turn(const typename Space::Rotation& R) {
  using Scalar = typename Space::Scalar;
  if constexpr (Space::kIsPlanar) {
    return typename Space::Angular(Scalar(2) * R(1, 0) / (Scalar(1) + R(0, 0)));
  } else {
    const Scalar scale = Scalar(2) / (Scalar(1) + R(0, 0) + R(1, 1) + R(2, 2));
    return {scale * (R(2, 1) - R(1, 2)), scale * (R(0, 2) - R(2, 0)), scale * (R(1, 0) - R(0, 1))};
  }
}

}  // namespace hamiltree
