// Planar linkages of revolute joints as a RateKernel.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree::planar_loops {

// A model as linkages: with a hub, if there is one, then without, for poses in which cuts cannot
// close while the hub is held. Empty where linkage_of() finds nothing.
Alternatives alternatives(const Model& model, LaneChoice lanes);

// ", planar pins, 6 parts of 2 bodies in lanes"
std::string plan_of(const Alternatives& alternatives);

// `alternatives` are those of the model. Where rows are redundant, all states are left to the
// general kernel: it chooses among them.
std::unique_ptr<RateKernel> make_kernel(Alternatives alternatives, const Model& model,
                                        std::unique_ptr<AddedForces> forces);

}  // namespace hamiltree::planar_loops
