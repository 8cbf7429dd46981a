// Pin in a slot: the child's pin slides along x of the parent's frame and turns about z. The
// coordinates are the displacement in m and the angle in rad. Its own frame J stands at the pin
// with the axes of the slot, where H is constant.
#pragma once

#include "hamiltree/model/joints/joint.hpp"
#include "hamiltree/model/joints/revolute.hpp"

namespace hamiltree {

template <class Space>
struct PinInSlot : JointTypeBase<Space, 2, 2> {
  using Base = JointTypeBase<Space, 2, 2>;
  using typename Base::Scalar;

  static constexpr const char* kName = "pin_in_slot";
  static constexpr bool kInPlane = true;
  static constexpr bool kTakesAxis = Space::kIsPlanar;
  static constexpr bool kOwnFrame = true;

  static Pose<Space> pose(const Scalar* q) {
    Pose<Space> X = Revolute<Space>::pose(q + 1);
    X.r(0) = q[0];
    return X;
  }

  // X_FJ
  static Pose<Space> frame(const Pose<Space>& X_FM) {
    Pose<Space> X;
    X.r = X_FM.r;
    return X;
  }

  static constexpr std::array<int, 2> kMotion{0, Space::kDimension - 1};

  static void coordinate_rates(const Scalar*, const Scalar* v, Scalar* q_dot) {
    q_dot[0] = v[0];
    q_dot[1] = v[1];
  }

  // Phi: the pin's offset across the slot; in space also the tilt of its z axis, in the slot's
  // axes.
  static typename Base::Residual residual(const Pose<Space>& X_FM) {
    typename Base::Residual phi;
    phi.template head<Space::kLinear - 1>() = X_FM.r.template tail<Space::kLinear - 1>();
    if constexpr (!Space::kIsPlanar) {
      phi.template tail<2>() = -tilt(typename Space::Rotation(X_FM.R.transpose()));
    }
    return phi;
  }

  static void coordinates(const Pose<Space>& X_FM, Scalar* q) {
    q[0] = X_FM.r(0);
    Revolute<Space>::coordinates(X_FM, q + 1);
  }

  static void normalise(Scalar*) {}
};

}  // namespace hamiltree
