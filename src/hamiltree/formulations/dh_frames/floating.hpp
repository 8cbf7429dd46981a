// A chain of revolutes in the plane whose segments float, as a Formulation. Rates and velocities
// come from lanes, to which forces besides gravity are added; accelerations and reactions, which
// are asked for at outputs only, from the general kernel.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::dh_frames {

// "100 bodies in 8 floating segments of up to 13, eight side by side in lanes"
std::string plan_of(const FloatingChain& chain);

// `general` computes the same mechanism, whatever its joints.
std::unique_ptr<Formulation> make_formulation(FloatingChain chain, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general);

}  // namespace hamiltree::dh_frames
