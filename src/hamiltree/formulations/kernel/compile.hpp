// From a System in space to Tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/formulations/kernel/tables.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::kernel {

// A joint or coupling of a system that the kernel does not know, in words; empty: none.
std::string foreign_joint(const System<Spatial<double>>& system);

// Tables to place the bodies and all rows of the cuts of a system without foreign joints, no more.
Tables unplanned_tables(const System<Spatial<double>>& system);

// Tables for the rows that are in use (by row of Phi), which must be independent; `kin` is placed
// at a pose in which the loops are closed and move. Nothing if more than sixteen rows are open
// somewhere.
std::optional<Tables> compile(const System<Spatial<double>>& system,
                              const std::vector<bool>& in_use, Kinematics<Spatial<double>>& kin);

}  // namespace hamiltree::kernel
