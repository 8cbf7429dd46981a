// Prismatic joint: slides along x of the joint frame in the plane, along z in space. One
// coordinate, the displacement in m.
#pragma once

#include "hamiltree/model/joints/joint.hpp"

namespace hamiltree {

template <class Space>
struct Prismatic : JointTypeBase<Space, 1, 1> {
  using Base = JointTypeBase<Space, 1, 1>;
  using typename Base::Scalar;

  static constexpr const char* kName = "prismatic";
  static constexpr bool kInPlane = true;
  static constexpr bool kTakesAxis = true;

  static constexpr int kAxis = Space::kIsPlanar ? 0 : 2;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X;
    X.r(kAxis) = q[0];
    return X;
  }

  static constexpr std::array<int, 1> kMotion{kAxis};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) { q_dot[0] = v[0]; }

  // Phi: the offset across the axis, in the parent's axes (the distance along the axis is not
  // small, so the child's turning axes would mix into it), then the turn.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    if constexpr (Space::kIsPlanar) {
      phi(0) = X_FM.r(1);
    } else {
      phi(0) = X_FM.r(0);
      phi(1) = X_FM.r(1);
    }
    phi.template tail<Space::kAngular>() = turn<Space>(X_FM.R);
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) { q[0] = X_FM.r(kAxis); }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
