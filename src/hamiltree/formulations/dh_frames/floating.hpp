// A chain of revolutes in the plane whose segments float, as a RateKernel: in lanes, to which
// forces besides gravity are added.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree::dh_frames {

// "100 bodies in 8 floating segments of up to 13, eight side by side in lanes"
std::string plan_of(const FloatingChain& chain);

// `chain` is that of the model.
std::unique_ptr<RateKernel> make_kernel(FloatingChain chain, const Model& model,
                                        std::unique_ptr<AddedForces> forces);

}  // namespace hamiltree::dh_frames
