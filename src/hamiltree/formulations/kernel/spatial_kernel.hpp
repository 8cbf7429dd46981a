// The kernel of this folder as a Formulation: rates and velocities of mechanisms in space come from
// it, all else from the general kernel of the same formulation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::kernel {

// Which rows of Phi the general kernel has in use, after its analyse() or prepare().
using RowsInUse = std::function<std::vector<bool>(const Workspace&)>;

// The model must be in space and have no foreign_joint(). `forces`: null where some do not act
// along joints. Where more than sixteen rows are open somewhere, a loop cannot close where the
// tables would have it, or nothing with inertia is behind a body that has none, the general kernel
// computes the rates, too.
std::unique_ptr<Formulation> make_formulation(const Model& model, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general,
                                              RowsInUse rows_in_use);

}  // namespace hamiltree::kernel
