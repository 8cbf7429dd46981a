// Input from drives to the kernel, and the bodies' motion for forces and energies.
#pragma once

#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::kernel {

// kin.drives must be those of the time.
void take_drives(const Kinematics<Spatial<double>>& kin, Work& work);

// Poses and motions of all bodies and joint frames, after the velocities.
void take_motion(const System<Spatial<double>>& system, const Work& work,
                 Kinematics<Spatial<double>>& kin);

// J, zero at the world's origin.
double gravity_energy(const Tables& tables, const Work& work);

}  // namespace hamiltree::kernel
