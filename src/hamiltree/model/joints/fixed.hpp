// Fixed joint: the frames coincide. No coordinate.
#pragma once

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Fixed : JointTypeBase<Space, 0, 0> {
  using Base = JointTypeBase<Space, 0, 0>;
  using typename Base::Scalar;

  static constexpr const char* kName = "fixed";
  static constexpr bool kInPlane = true;

  static Pose<Space> pose(const Scalar*) { return {}; }

  static constexpr std::array<int, 0> kMotion{};

  static void coordinate_rates(const Scalar*, const Scalar*, Scalar*) {}

  // Phi: the child's origin as the child sees it, then the turn.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    return stack<Space>(X_FM.R.transpose() * X_FM.r, turn<Space>(X_FM.R));
  }

  static void coordinates(const Pose<Space>&, Scalar*) {}

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
