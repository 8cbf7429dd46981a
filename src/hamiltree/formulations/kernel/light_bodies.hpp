// Bodies without inertia of their own. Their joints are eliminated with the inertia of what is
// behind them, as any joint, and lose their pivot where nothing is behind that the joint moves:
// at a tip that only a loop holds, or in the gimbal lock of pins between light bodies.
#pragma once

#include "hamiltree/formulations/kernel/tables.hpp"
#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::kernel {

// Fills Tables::light; `kin` is placed.
void find_light_axes(const System<Spatial<double>>& system, const Kinematics<Spatial<double>>& kin,
                     Tables& tables);

}  // namespace hamiltree::kernel
