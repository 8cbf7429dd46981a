// Pose<Space>: where one frame is in another. X_AB has B's axes as columns of R, seen in A, and B's
// origin r in A; X_AC = X_AB * X_BC.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

template <class Space>
struct Pose {
  typename Space::Rotation R = Space::Rotation::Identity();
  typename Space::Position r = Space::Position::Zero();  // m

  Pose operator*(const Pose& other) const { return {R * other.R, r + R * other.r}; }
  typename Space::Position operator*(const typename Space::Position& x) const { return r + R * x; }

  template <class Scalar>
  Pose<typename Space::template Rebind<Scalar>> cast() const {
    return {R.template cast<Scalar>(), r.template cast<Scalar>()};
  }
};

template <class Space>
Pose<Space> inverse(const Pose<Space>& X) {
  return {X.R.transpose(), -(X.R.transpose() * X.r)};
}

}  // namespace hamiltree
