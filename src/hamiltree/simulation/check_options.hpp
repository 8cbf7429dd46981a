// Options of a run against each other, the model and the formulation.
#pragma once

#include "hamiltree/formulations/state_form.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/options.hpp"

namespace hamiltree {

// Throws UsageError where they do not fit. `model`: as it is computed, in segments if it is.
void check_options(const SimulationOptions& options, const Model& model, StateForm form);

}  // namespace hamiltree
