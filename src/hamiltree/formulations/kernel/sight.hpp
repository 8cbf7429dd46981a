// Input from drives to the kernel, and the bodies' motion for forces and energies.
#pragma once

#include <vector>

#include "hamiltree/forces/sight.hpp"
#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/math/pack.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::kernel {

// The drives at a time, for both.
void find_drives(const System<Spatial<double>>& system, double t, Kinematics<Spatial<double>>& kin,
                 std::vector<DriveWork>& drives);
// kin.drives must be those of the time.
void take_drives(const Kinematics<Spatial<double>>& kin, std::vector<DriveWork>& drives);

// All bodies and joints are in sight.
Sight full_sight(const System<Spatial<double>>& system);

// Poses and joint frames, where they are placed.
void take_poses(const System<Spatial<double>>& system, const Tables& tables, const Work& work,
                const Sight& sight, Kinematics<Spatial<double>>& kin);
// Motions of bodies, after the velocities.
void take_motions(const Work& work, const Sight& sight, Kinematics<Spatial<double>>& kin);
// Of one of eight states: poses of all bodies, and after the velocities all that is in sight.
void take_bodies(const WorkIn<Pack>& work, int lane, Kinematics<Spatial<double>>& kin);
void take_all(const System<Spatial<double>>& system, const Tables& tables, const WorkIn<Pack>& work,
              int lane, const Sight& sight, Kinematics<Spatial<double>>& kin);

// J, zero at the world's origin.
double gravity_energy(const Tables& tables, const Work& work);

}  // namespace hamiltree::kernel
