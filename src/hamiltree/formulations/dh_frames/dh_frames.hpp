// Trees of revolutes in DH frames, as a Formulation: the recursive algorithm with the fewest
// operations known. Rates and velocities come from the two passes of passes.hpp, to which forces
// besides gravity are added; accelerations and reactions, which are asked for at outputs only, from
// the general kernel.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::dh_frames {

// `general` computes the same mechanism, whatever its joints. Threads, as of Pool, share the
// chain blocks of a chain.
std::unique_ptr<Formulation> make_formulation(Tree tree, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general, int threads);

}  // namespace hamiltree::dh_frames
