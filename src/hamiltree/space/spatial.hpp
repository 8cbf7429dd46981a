// Spatial<Scalar>: mechanics in space. Spatial vectors are linear part first, [v; omega] and
// [f; moment], as in the papers; rotations are 3x3 matrices.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace hamiltree {

template <class T>
struct Spatial {
  using Scalar = T;
  template <class U>
  using Rebind = Spatial<U>;  // the same space over another scalar

  static constexpr bool kIsPlanar = false;
  static constexpr int kLinear = 3;   // components of a position
  static constexpr int kAngular = 3;  // components of an angular velocity
  static constexpr int kDimension = kLinear + kAngular;

  using Position = Eigen::Matrix<T, kLinear, 1>;        // m
  using Angular = Eigen::Matrix<T, kAngular, 1>;        // rad/s or N m
  using Rotation = Eigen::Matrix<T, kLinear, kLinear>;  // proper orthogonal
  using Motion = Eigen::Matrix<T, kDimension, 1>;       // [v; omega]
  using Force = Eigen::Matrix<T, kDimension, 1>;        // [f; moment], also momenta and impulses
  using Inertia = Eigen::Matrix<T, kDimension, kDimension>;  // symmetric, momentum = M V
  using AngularInertia = Eigen::Matrix<T, kAngular, kAngular>;

  // omega x r
  static Position cross(const Angular& omega, const Position& r) { return omega.cross(r); }

  // l x f, the moment of f acting at l
  static Angular moment(const Position& l, const Position& f) { return l.cross(f); }

  // l~ with l~ f = l x f
  static Eigen::Matrix<T, kAngular, kLinear> skew(const Position& l) {
    Eigen::Matrix<T, kAngular, kLinear> m;
    m << T(0), -l(2), l(1), l(2), T(0), -l(0), -l(1), l(0), T(0);
    return m;
  }

  // a x b of two angular vectors
  static Angular cross_angular(const Angular& a, const Angular& b) { return a.cross(b); }

  // The rotation R as it acts on angular vectors
  static Angular rotate_angular(const Rotation& R, const Angular& omega) { return R * omega; }
  static Angular unrotate_angular(const Rotation& R, const Angular& omega) {
    return R.transpose() * omega;
  }
  static AngularInertia rotate_angular_inertia(const Rotation& R, const AngularInertia& J) {
    return R * J * R.transpose();
  }
  // B R_a^T for a block whose columns are angular
  static Eigen::Matrix<T, kLinear, kAngular> unrotate_angular_columns(
      const Rotation& R, const Eigen::Matrix<T, kLinear, kAngular>& B) {
    return B * R.transpose();
  }
};

}  // namespace hamiltree
