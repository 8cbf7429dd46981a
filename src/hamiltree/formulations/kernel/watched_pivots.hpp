// Pivots of bodies without inertia of their own. Their joints are eliminated with the inertia of
// what is behind them, as any joint, and lose their pivot where nothing is behind that the joint
// moves: at a tip that only a loop holds, or in the gimbal lock of pins between such bodies.
#pragma once

#include "hamiltree/formulations/kernel/tables.hpp"
#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::kernel {

// Fills Tables::watched; `kin` is placed.
void find_watched_pivots(const System<Spatial<double>>& system,
                         const Kinematics<Spatial<double>>& kin, Tables& tables);

}  // namespace hamiltree::kernel
