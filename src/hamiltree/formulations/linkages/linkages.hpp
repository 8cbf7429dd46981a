// Planar linkages of pins as a Formulation: rates and velocities come from the kernels in this
// folder, all else from the general kernel of the same formulation.
#pragma once

#include <memory>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/linkages/in_parts.hpp"
#include "hamiltree/formulations/screws/joint_forces.hpp"

namespace hamiltree::linkages {

// Where rows are redundant, the general one computes everything: it chooses among them.
std::unique_ptr<Formulation> make_formulation(LinkageInParts linkage,
                                              std::unique_ptr<screws::JointForces> forces,
                                              std::unique_ptr<Formulation> general);

}  // namespace hamiltree::linkages
