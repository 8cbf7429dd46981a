// A spatial model some of whose subsystems move in a plane each, as a Formulation: these are
// computed in their planes, all else in space.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/subsystems.hpp"

namespace hamiltree {

// The parts in which hdca or recursive computes the model: one for each plane, one for what moves
// in none. Empty: they compute it as a whole.
std::vector<Subsystem> subsystems_for(std::string_view formulation, const Model& model,
                                      const FormulationOptions& options);

// Each of `parts` computes its subsystem of the model.
std::unique_ptr<Formulation> make_of_subsystems(const Model& model,
                                                std::vector<Subsystem> subsystems,
                                                std::vector<std::unique_ptr<Formulation>> parts);

}  // namespace hamiltree
