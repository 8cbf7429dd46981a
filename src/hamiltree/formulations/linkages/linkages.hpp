// Planar linkages of pins as a Formulation: rates and velocities come from the kernels in this
// folder, all else from the general kernel of the same formulation.
#pragma once

#include <memory>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/joint_forces.hpp"
#include "hamiltree/formulations/linkages/in_parts.hpp"

namespace hamiltree::linkages {

// A model as linkages: with a hub, if there is one, then without, for poses in which cuts cannot
// close while the hub is held. Empty where linkage_of() finds nothing.
std::vector<LinkageInParts> ways_of(const Model& model, LaneChoice lanes);

// Where rows are redundant, the general one computes everything: it chooses among them.
std::unique_ptr<Formulation> make_formulation(std::vector<LinkageInParts> ways,
                                              std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general);

}  // namespace hamiltree::linkages
