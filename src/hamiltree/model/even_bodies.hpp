// even_bodies: the same joints between bodies that all weigh the same, with the mechanism's length
// as radius of gyration. Which rows are independent does not depend on inertia, but pivots show it
// only as far as no body moves far more easily than others.
#pragma once

#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Space>
System<Space> even_bodies(const System<Space>& system) {
  auto even = system.without_forces();
  const double square = system.length * system.length;
  for (auto& body : even.bodies) {
    body.mass = 1.0;
    body.J_com = square * Space::AngularInertia::Identity();
    body.J_com_inverse = body.J_com / (square * square);
  }
  even.ballasted.clear();
  for (auto& joint : even.joints) {
    if (joint.armature > 0.0) joint.armature = joint.along < Space::kLinear ? 1.0 : square;
  }
  return even;
}

}  // namespace hamiltree
