// Parameters (parameters.hpp) of a model by name, and the same model with other values of them.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/model/parameters.hpp"

namespace hamiltree {

// The numbers of those with these names. Throws UsageError for a name that none, or more than one,
// has.
std::vector<int> parameter_numbers(const Model& model, const std::vector<std::string>& names);

// The same model with other values of some parameters: the same spanning tree, state and rows.
// Throws UsageError for names as above, and for values that no description may have: that are not
// finite, a mass below 0, an inertia with a negative principal moment, or what validation refuses
// of a force.
Model with_parameters(const Model& model, const std::vector<Parameter>& values);

}  // namespace hamiltree
