// JointFrame: the frame J of a joint as it stands, and the way into the joint's coordinates, where
// every joint type is a choice of components: J's axes at its origin O, and for a helical joint
// along the screw, so that its pitch turns it into a revolute.
#pragma once

#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// Screw coordinates of motions and forces about z, for a pitch h in m/rad: with S = I - h e_z
// e_rz^T motions become S V and forces S^-T F, so power and mobility keep their form.
template <class Space>
void to_screw_motion([[maybe_unused]] double h, [[maybe_unused]] typename Space::Motion& V) {
  if constexpr (!Space::kIsPlanar) {
    if (h != 0.0) V(2) -= typename Space::Scalar(h) * V(5);
  }
}
template <class Space>
void to_screw_force([[maybe_unused]] double h, [[maybe_unused]] typename Space::Force& F) {
  if constexpr (!Space::kIsPlanar) {
    if (h != 0.0) F(5) += typename Space::Scalar(h) * F(2);
  }
}
template <class Space>
void from_screw_motion(double h, typename Space::Motion& V) {
  to_screw_motion<Space>(-h, V);
}
template <class Space>
void from_screw_force(double h, typename Space::Force& F) {
  to_screw_force<Space>(-h, F);
}

template <class Space>
struct JointFrame {
  using Motion = typename Space::Motion;
  using Force = typename Space::Force;

  Pose<Space> X_WJ;
  double pitch = 0.0;  // m/rad

  // Between world axes at O and the joint's coordinates.
  Motion to_joint_motion(const Motion& V_W) const {
    Motion V = unrotate<Space>(X_WJ.R, V_W);
    to_screw_motion<Space>(pitch, V);
    return V;
  }
  Motion to_world_motion(Motion V) const {
    from_screw_motion<Space>(pitch, V);
    return rotate<Space>(X_WJ.R, V);
  }
  Force to_joint_force(const Force& F_W) const {
    Force F = unrotate<Space>(X_WJ.R, F_W);
    to_screw_force<Space>(pitch, F);
    return F;
  }
  Force to_world_force(Force F) const {
    from_screw_force<Space>(pitch, F);
    return rotate<Space>(X_WJ.R, F);
  }
};

}  // namespace hamiltree
