// Subsystems that are computed apart: each where it moves.
#pragma once

#include <string_view>
#include <vector>

#include "hamiltree/formulations/choice/choice.hpp"

namespace hamiltree {

// A part for each plane in which something moves, and one for what moves in none. Empty: the model
// is computed as a whole.
std::vector<ChosenSubsystem> choose_subsystems(std::string_view formulation, const Model& model,
                                               const FormulationOptions& options);

// As choice_of(), with options that fit, of a model that is not divided.
Choice choice_of_whole(std::string_view formulation, const Model& model,
                       const FormulationOptions& options);

}  // namespace hamiltree
