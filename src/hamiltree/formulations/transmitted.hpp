// Transmitted: what a joint transmits to its child, in the numbers of a kernel. Reaction
// (formulation.hpp) is the same as users see it.
#pragma once

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/in_joint.hpp"
#include "hamiltree/formulations/rate_work.hpp"

namespace hamiltree {

template <class Space>
struct Transmitted {
  typename Space::Force world, joint;  // world axes, and those of seen_axes()
  bool is_driven = false;
  typename Space::Scalar drive{0};  // the effort that a driven joint needs, N m or N
};

// After accelerations().
template <class Space>
Transmitted<Space> transmitted(const System<Space>& system, const RateWork<Space>& work, int j) {
  const auto& joint = system.joint(j);
  Transmitted<Space> result;
  result.world = work.wrench[at(j)] + force_in_joint(system, work.kin, j);
  result.joint = unrotate<Space>(seen_axes(system, work.kin, j), result.world);
  result.is_driven = joint.drive != kNone && system.drives[at(joint.drive)].coordinate.has_value();
  if (result.is_driven) {
    result.drive =
        work.kin.joint(j).to_joint_force(result.world)(joint.along) - work.loads.effort[at(j)];
  }
  return result;
}

// A planar reaction lies in the x-y plane, its moment along z.
template <class Space>
Reaction reaction_of(const System<Space>& system, const RateWork<Space>& work, int j) {
  const auto of_joint = transmitted(system, work, j);
  Reaction reaction;
  reaction.force.head<Space::kLinear>() = linear<Space>(of_joint.world);
  reaction.moment.tail<Space::kAngular>() = angular<Space>(of_joint.world);
  reaction.joint_force.head<Space::kLinear>() = linear<Space>(of_joint.joint);
  reaction.joint_moment.tail<Space::kAngular>() = angular<Space>(of_joint.joint);
  reaction.drive = of_joint.drive;
  return reaction;
}

}  // namespace hamiltree
