// Trees of revolutes in DH frames, as a RateKernel: the recursive algorithm with the fewest
// operations known, in the two passes of passes.hpp, to which forces besides gravity are added.
#pragma once

#include <memory>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree::dh_frames {

// `tree` is that of the model. Threads, as of Pool, share the chain blocks of a chain.
std::unique_ptr<RateKernel> make_kernel(Tree tree, const Model& model,
                                        std::unique_ptr<AddedForces> forces, int threads);

}  // namespace hamiltree::dh_frames
