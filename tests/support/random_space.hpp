// Random positions, rotations, poses, motions and inertias of either space, and poses that move:
// dual numbers whose derivative is a given velocity.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <random>

#include "hamiltree/math/dual.hpp"
#include "hamiltree/space/inertia.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::test {

template <class Space>
class RandomSpace {
 public:
  explicit RandomSpace(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  template <class Vector>
  Vector vector(double size = 1.0) {
    Vector x;
    for (Eigen::Index i = 0; i < x.size(); ++i) x(i) = uniform(-size, size);
    return x;
  }
  typename Space::Position position() { return vector<typename Space::Position>(); }
  typename Space::Motion motion() { return vector<typename Space::Motion>(); }
  typename Space::Force force() { return vector<typename Space::Force>(); }

  typename Space::Rotation rotation() {
    if constexpr (Space::kIsPlanar) {
      return Eigen::Rotation2Dd(uniform(-3.0, 3.0)).toRotationMatrix();
    } else {
      return Eigen::Quaterniond(vector<Eigen::Vector4d>().normalized()).toRotationMatrix();
    }
  }
  Pose<Space> pose() { return {rotation(), position()}; }

  RigidInertia<Space> inertia() {
    RigidInertia<Space> body;
    body.mass = uniform(0.2, 3.0);
    body.com = position();
    if constexpr (Space::kIsPlanar) {
      body.J_com(0, 0) = uniform(0.1, 0.2);
    } else {
      const Eigen::Vector3d moments(uniform(0.1, 0.2), uniform(0.1, 0.2), uniform(0.1, 0.2));
      const auto R = rotation();
      const Eigen::Matrix3d J = R * moments.asDiagonal() * R.transpose();
      body.J_com = 0.5 * (J + J.transpose());
    }
    body.J_com_inverse = body.J_com.inverse();
    return body;
  }

 private:
  std::mt19937_64 random_;
};

// The rate of the rotation R of a frame that turns with omega, given in its own axes.
template <class Space>
typename Space::Rotation rotation_rate(const typename Space::Rotation& R,
                                       const typename Space::Angular& omega) {
  typename Space::Rotation rate;
  for (int i = 0; i < Space::kLinear; ++i) {
    rate.col(i) = R * Space::cross(omega, Space::Position::Unit(i));
  }
  return rate;
}

// X with the derivative that the velocity V gives it: V of the frame's origin, in its own axes.
template <class Space>
Pose<typename Space::template Rebind<Dual>> moving(const Pose<Space>& X,
                                                   const typename Space::Motion& V) {
  const auto R_dot = rotation_rate<Space>(X.R, angular<Space>(V));
  const typename Space::Position r_dot = X.R * linear<Space>(V);
  Pose<typename Space::template Rebind<Dual>> result;
  for (int i = 0; i < Space::kLinear; ++i) {
    result.r(i) = Dual(X.r(i), r_dot(i));
    for (int k = 0; k < Space::kLinear; ++k) result.R(i, k) = Dual(X.R(i, k), R_dot(i, k));
  }
  return result;
}

// Values and derivatives of a matrix of dual numbers.
template <class Derived>
auto values_of(const Eigen::MatrixBase<Derived>& x) {
  return x.unaryExpr([](const Dual& d) { return d.value; }).eval();
}
template <class Derived>
auto derivatives_of(const Eigen::MatrixBase<Derived>& x) {
  return x.unaryExpr([](const Dual& d) { return d.derivative; }).eval();
}

// Largest difference of two matrices, for EXPECT_LE. Not a template, which every expression would
// compile anew.
double difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace hamiltree::test
