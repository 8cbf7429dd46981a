// The kernel of this folder as a RateKernel of mechanisms in space.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree::kernel {

// Which rows of Phi the general kernel has in use, after its analyse() or prepare().
using RowsInUse = std::function<std::vector<bool>(const Workspace&)>;

// The model must have tables in space and no foreign_joint(). `forces`: null where some do not act
// along joints. States are left to the general kernel where more than sixteen rows are open
// somewhere, a loop cannot close where the tables would have it, or nothing with inertia is behind
// a body that has none. `is_lifted`: the tables are a planar model's, which has its bodies
// elsewhere; then the kernel shows none.
std::unique_ptr<RateKernel> make_kernel(const Model& model, std::unique_ptr<AddedForces> forces,
                                        RowsInUse rows_in_use, bool is_lifted);

}  // namespace hamiltree::kernel
