// Calibration: what the constants that plans go by are on this machine.
#pragma once

#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::benchmarks {

// Measured on one core: straight lines through two sizes of each kind.
dh_frames::Costs measured_costs(SpaceKind space);

}  // namespace hamiltree::benchmarks
