// Where an evaluation went wrong.
#pragma once

#include <optional>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// The first body, from the ground on, whose joint has a velocity or a rate that is not finite.
std::optional<int> first_not_finite(const Model& model, const Workspace& workspace);

}  // namespace hamiltree
