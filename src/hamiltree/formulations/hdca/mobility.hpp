// Mobility: the inverse inertia of one body, the xi of a single handle [Chadaj2017 eq. 15].
#pragma once

#include "hamiltree/space/inertia.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree::hdca {

// M_C^-1 of a body: world axes at its centre of mass.
template <class Space>
struct Mobility {
  typename Space::Scalar inverse_mass{0};
  typename Space::AngularInertia J_inverse = Space::AngularInertia::Zero();
  // From the origin of the body's frame to its centre of mass, world axes.
  typename Space::Position com = Space::Position::Zero();

  Mobility() = default;
  Mobility(const RigidInertia<Space>& body, const Pose<Space>& X_WB)
      : inverse_mass(typename Space::Scalar(1) / body.mass),
        J_inverse(Space::rotate_angular_inertia(X_WB.R, body.J_com_inverse)),
        com(X_WB.R * body.com) {}

  typename Space::Motion operator*(const typename Space::Force& F) const {
    return stack<Space>(inverse_mass * linear<Space>(F), J_inverse * angular<Space>(F));
  }
};

}  // namespace hamiltree::hdca
