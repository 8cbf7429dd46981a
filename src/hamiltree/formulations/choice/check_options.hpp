// Options against the formulation that is to take them.
#pragma once

#include <string_view>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// Throws UsageError for a number of threads that nobody can mean. 0: one for each core.
void check_threads(int threads);

// Throws UsageError for an unknown name, and for options that it does not take.
void check_options(std::string_view formulation, const Model& model,
                   const FormulationOptions& options);

}  // namespace hamiltree
