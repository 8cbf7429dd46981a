// Planar linkages of revolute joints as a Formulation: rates and velocities come from the kernels
// in this folder, all else from the general kernel of the same formulation.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"

namespace hamiltree::planar_loops {

// A model as linkages: with a hub, if there is one, then without, for poses in which cuts cannot
// close while the hub is held. Empty where linkage_of() finds nothing.
Alternatives alternatives(const Model& model, LaneChoice lanes);

// ", planar pins, 6 parts of 2 bodies in lanes"
std::string plan_of(const Alternatives& alternatives);

// Where rows are redundant, the general one computes everything: it chooses among them.
std::unique_ptr<Formulation> make_formulation(Alternatives alternatives, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general);

}  // namespace hamiltree::planar_loops
