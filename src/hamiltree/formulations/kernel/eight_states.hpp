// Eight states on the tables that were made for one.
#pragma once

#include <memory>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/eight_states.hpp"
#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::kernel {

// `work`: of one state, whose mask and references are taken. Null on machines whose best
// instructions are others than AVX-512: registers of four lanes, half as many, gain nothing over
// one by one. `has_choice`: lanes in which a pivot is worn are left, for other rows must be chosen
// there.
// `along_joints`: null where some forces act otherwise. All are found state by state. `system` must
// outlive the result.
std::unique_ptr<EightStates> eight_states(const System<Spatial<double>>& system,
                                          std::unique_ptr<AddedForces> along_joints,
                                          const Tables& tables, const Work& work, bool has_choice);

}  // namespace hamiltree::kernel
