// Maps between quasi-coordinates and the axes of their joints.
#pragma once

#include "hamiltree/formulations/derivatives/joint_space.hpp"

namespace hamiltree::derivatives {

// At the coordinates q.
void find_maps(const QuasiJoint& joint, const double* q, Work::Quasi& maps);
// How q_dot changes with q at the velocities v: Quasi::turned.
void turn_rates(const QuasiJoint& joint, const double* q, const double* v, Work::Quasi& maps);

}  // namespace hamiltree::derivatives
