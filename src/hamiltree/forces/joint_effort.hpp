// Joint efforts: a torque or force along a joint with one degree of freedom, whether the joint is
// in the tree (then it is a load on its momentum), closes a loop or is driven (then it is a pair of
// wrenches).
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template <class Space>
struct Loads;

// Adds an effort along the coordinate of a joint written with one degree of freedom. A joint whose
// velocity is part of the state feels it there, any other as a pair of wrenches.
template <class Space>
void apply_effort(const System<Space>& system, const Kinematics<Space>& kin, int j,
                  const typename Space::Scalar& effort, Loads<Space>& loads) {
  const auto& joint = system.joint(j);
  loads.effort[at(j)] += effort;
  if (joint.has_velocity()) return;
  typename Space::Force F = Space::Force::Zero();
  F(joint.along) = effort;
  apply_pair(kin, joint.parent, joint.child, kin.origin(j), kin.joint(j).to_world_force(F),
             loads.body);
}

}  // namespace hamiltree
