// Tables derived from the joints of a System.
#pragma once

#include <algorithm>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

// The components of H and D, and what else the type of a joint decides; `written` is the type that
// the user wrote, which of a driven joint is not the kernels'.
template <class Space>
void set_type(JointType written, double pitch, Joint<Space>& joint) {
  joint.pitch = written == JointType::kHelical ? pitch : 0.0;
  visit_joint<Space>(written, pitch, [&]<class J>(const J&) {
    if constexpr (J::kVelocities == 1) joint.along = J::kMotion[0];
  });
  visit_joint<Space>(joint, [&]<class J>(const J&) {
    joint.own_frame = J::kOwnFrame;
    joint.coordinates = J::kCoordinates;
    joint.velocities = J::kVelocities;
    joint.constraints = J::kConstraints;
    constexpr auto rest = complement<Space::kDimension>(J::kMotion);
    std::copy(J::kMotion.begin(), J::kMotion.end(), joint.free.begin());
    std::copy(rest.begin(), rest.end(), joint.constrained.begin());
  });
}

// The joint as the user wrote it, driven or not.
template <class Space>
JointType written_type(const System<Space>& system, const Joint<Space>& joint) {
  if (joint.drive == kNone) return joint.type;
  const auto& drive = system.drives[at(joint.drive)];
  return drive.coordinate ? drive.type : joint.type;
}

// At which body the frame J of a ball stands that closes a loop: at its child, but at its parent if
// that is held by balls alone and the child is not. A body between two balls may spin about the
// line through them, often with little inertia. Impulses act at J's origin. While a loop is open by
// a gap, within a step, the other body's point is beside that line, and there they would change the
// spin.
template <class Space>
void choose_ball_ends(System<Space>& system) {
  const auto is_ball = [](const Joint<Space>& joint) {
    return joint.type == JointType::kSpherical && joint.drive == kNone;
  };
  std::vector<bool> spins(system.bodies.size(), true);
  for (const auto& joint : system.joints) {
    for (const int b : {joint.parent, joint.child})
      if (b != kNone && !is_ball(joint)) spins[at(b)] = false;
  }
  const auto may_spin = [&](int b) { return b != kNone && spins[at(b)]; };
  for (auto& joint : system.joints)
    joint.at_parent =
        joint.is_cut() && is_ball(joint) && may_spin(joint.parent) && !may_spin(joint.child);
}

// After the couplings, with the system's length.
template <class Space>
void add_row_scales(System<Space>& system) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    for (int i = 0; i < joint.constraints; ++i) {
      system.row_scales.push_back(row_scale(system, joint, i));
    }
  }
  for (const auto& coupling : system.couplings) {
    system.row_scales.push_back(row_scale(system, coupling));
  }
}

}  // namespace hamiltree
