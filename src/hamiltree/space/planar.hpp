// Planar<Scalar>: mechanics in the x-y plane. Spatial vectors are [v_x, v_y, omega] and
// [f_x, f_y, moment]; rotations are 2x2 matrices.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

template <class T>
struct Planar {
  using Scalar = T;
  template <class U>
  using Rebind = Planar<U>;  // the same space over another scalar

  static constexpr bool kIsPlanar = true;
  static constexpr int kLinear = 2;   // components of a position
  static constexpr int kAngular = 1;  // components of an angular velocity
  static constexpr int kDimension = kLinear + kAngular;

  using Position = Eigen::Matrix<T, kLinear, 1>;        // m
  using Angular = Eigen::Matrix<T, kAngular, 1>;        // rad/s or N m
  using Rotation = Eigen::Matrix<T, kLinear, kLinear>;  // proper orthogonal
  using Motion = Eigen::Matrix<T, kDimension, 1>;       // [v; omega]
  using Force = Eigen::Matrix<T, kDimension, 1>;        // [f; moment], also momenta and impulses
  using Inertia = Eigen::Matrix<T, kDimension, kDimension>;  // symmetric, momentum = M V
  using AngularInertia = Eigen::Matrix<T, kAngular, kAngular>;

  // omega x r
  static Position cross(const Angular& omega, const Position& r) {
    return Position(-omega(0) * r(1), omega(0) * r(0));
  }

  // l x f, the moment of f acting at l
  static Angular moment(const Position& l, const Position& f) {
    return Angular(l(0) * f(1) - l(1) * f(0));
  }

  // l~ with l~ f = l x f
  static Eigen::Matrix<T, kAngular, kLinear> skew(const Position& l) { return {-l(1), l(0)}; }

  // a x b of two angular vectors: parallel in the plane
  static Angular cross_angular(const Angular&, const Angular&) { return Angular(T(0)); }

  // The rotation R as it acts on angular vectors
  static Angular rotate_angular(const Rotation&, const Angular& omega) { return omega; }
  static Angular unrotate_angular(const Rotation&, const Angular& omega) { return omega; }
  static AngularInertia rotate_angular_inertia(const Rotation&, const AngularInertia& J) {
    return J;
  }
  // B R_a^T for a block whose columns are angular
  static Eigen::Matrix<T, kLinear, kAngular> unrotate_angular_columns(
      const Rotation&, const Eigen::Matrix<T, kLinear, kAngular>& B) {
    return B;
  }
};

}  // namespace hamiltree
