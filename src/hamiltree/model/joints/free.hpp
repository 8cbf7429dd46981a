// Free joint: no constraint. In the plane the coordinates are x, y, angle; in space x, y, z and the
// unit quaternion w, x, y, z. Velocities are quasi-velocities: linear and angular velocity of the
// child in the child's own axes, so that the motion subspace is the identity and momenta are
// conjugate to body-frame quasi-velocities.
#pragma once

#include <cmath>

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/quaternion.hpp"

namespace hamiltree {

template <class Space>
struct Free : JointTypeBase<Space, Space::kIsPlanar ? 3 : 7, Space::kDimension> {
  using Base = JointTypeBase<Space, Space::kIsPlanar ? 3 : 7, Space::kDimension>;
  using typename Base::Scalar;

  using Position = typename Space::Position;

  static constexpr const char* kName = "free";
  static constexpr bool kInPlane = true;

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
      X.R = quaternion::rotation(q + 3);
    }
    return X;
  }

  static constexpr auto kMotion = first_indices<Space::kDimension>();

  static void coordinate_rates(const Scalar* q, const Scalar* v, Scalar* q_dot) {
    const Position r_dot = pose(q).R * Eigen::Map<const Position>(v);
    for (int i = 0; i < Space::kLinear; ++i) q_dot[i] = r_dot(i);
    if constexpr (Space::kIsPlanar) {
      q_dot[2] = v[2];
    } else {
      quaternion::rate(q + 3, v + 3, q_dot + 3);
    }
  }

  // The linear momentum in the parent's axes is conjugate to the position.
  //   y_l = R p_l        ydot_l = R (pdot_l + omega x p_l)
  static void conjugate(const Scalar* q, const Scalar* p, Scalar* y) {
    Eigen::Map<Position>{y} = pose(q).R * Eigen::Map<const Position>(p);
    if constexpr (Space::kIsPlanar) {
      y[2] = p[2];
    } else {
      quaternion::conjugate(q + 3, p + 3, y + 3);
    }
  }
  static void quasi_momenta(const Scalar* q, const Scalar* y, Scalar* p) {
    Eigen::Map<Position>{p} = pose(q).R.transpose() * Eigen::Map<const Position>(y);
    if constexpr (Space::kIsPlanar) {
      p[2] = y[2];
    } else {
      quaternion::quasi_momenta(q + 3, y + 3, p + 3);
    }
  }
  static void conjugate_rates(const Scalar* q, [[maybe_unused]] const Scalar* y, const Scalar* p,
                              const Scalar* v, const Scalar* p_dot, Scalar* y_dot) {
    const Eigen::Map<const Position> p_l(p), p_l_dot(p_dot);
    if constexpr (Space::kIsPlanar) {
      Eigen::Map<Position>{y_dot} = pose(q).R * (p_l_dot + v[2] * Position(-p_l(1), p_l(0)));
      y_dot[2] = p_dot[2];
    } else {
      const Eigen::Map<const Position> omega(v + 3);
      Eigen::Map<Position>{y_dot} = pose(q).R * (p_l_dot + omega.cross(p_l));
      quaternion::conjugate_rates(q + 3, y + 3, p + 3, v + 3, p_dot + 3, y_dot + 3);
    }
  }

  static typename Base::Residual residual(const Pose<Space>&) { return {}; }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    for (int i = 0; i < Space::kLinear; ++i) q[i] = X_FM.r(i);
    if constexpr (Space::kIsPlanar) {
      using std::atan2;
      q[2] = atan2(X_FM.R(1, 0), X_FM.R(0, 0));
    } else {
      quaternion::from_rotation(X_FM.R, q + 3);
    }
  }

  static void normalise([[maybe_unused]] Scalar* q) {
    if constexpr (!Space::kIsPlanar) quaternion::normalise(q + 3);
  }
};

}  // namespace hamiltree
