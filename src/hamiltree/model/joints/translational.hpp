// Translational joint, in space only: slides in every direction without turning. The coordinates
// are x, y, z in m.
#pragma once

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Translational : JointTypeBase<Space, 3, 3> {
  using Base = JointTypeBase<Space, 3, 3>;
  using typename Base::Scalar;

  static constexpr const char* kName = "translational";

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X;
    for (int i = 0; i < 3; ++i) X.r(i) = q[i];
    return X;
  }

  static constexpr std::array<int, 3> kMotion{0, 1, 2};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) {
    for (int i = 0; i < 3; ++i) q_dot[i] = v[i];
  }

  // Phi: the turn.
  static typename Base::Residual residual(const Pose<Space>& X_FM) { return turn<Space>(X_FM.R); }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    for (int i = 0; i < 3; ++i) q[i] = X_FM.r(i);
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
