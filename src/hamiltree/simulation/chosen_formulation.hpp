// The formulation of a run whose options leave it open.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/options.hpp"

namespace hamiltree {

// The options with a name and a reason in the place of "auto"; q: coordinates at the start.
SimulationOptions with_formulation(const Model& model, const Eigen::VectorXd& q,
                                   SimulationOptions options);

}  // namespace hamiltree
