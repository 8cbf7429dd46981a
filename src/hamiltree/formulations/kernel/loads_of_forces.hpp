// Loads of forces on bodies and joints, as the kernel knows poses and motions.
#pragma once

#include "hamiltree/forces/loads.hpp"

namespace hamiltree::kernel {

// Loads of forces of every kind but gravity, and their power if that is asked for.
void find_loads(const Instant<Spatial<double>>& now, Loads<Spatial<double>>& loads,
                ForcePower<double>* power);

// p_dot of what of these loads acts along joints.
void add_joint_efforts(const System<Spatial<double>>& system, const Loads<Spatial<double>>& loads,
                       double* p_dot);

}  // namespace hamiltree::kernel
