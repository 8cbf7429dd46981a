// A chain of pins in the plane whose segments float, as a Formulation. Rates and velocities come
// from lanes, to which forces along joints are added; accelerations and reactions, which are asked
// for at outputs only, from the general kernel.
#pragma once

#include <memory>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/joint_forces.hpp"
#include "hamiltree/formulations/screws/floating_chain.hpp"

namespace hamiltree::screws {

// `general` computes the same mechanism, whatever its joints.
std::unique_ptr<Formulation> make_formulation(FloatingChain chain,
                                              std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general);

}  // namespace hamiltree::screws
