// Tables derived from the joints of a System.
#pragma once

#include <algorithm>

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
