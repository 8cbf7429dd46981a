// Trees of pins in screw frames, as a Formulation: the recursive algorithm with the fewest
// operations known. Rates and velocities come from the two passes of passes.hpp, to which forces
// along joints are added; accelerations and reactions, which are asked for at outputs only, from
// the general kernel.
#pragma once

#include <memory>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/joint_forces.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// `general` computes the same mechanism, whatever its joints. Threads, as of Pool, share the
// stretches of a chain.
std::unique_ptr<Formulation> make_formulation(Tree tree, std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general, int threads);

}  // namespace hamiltree::screws
