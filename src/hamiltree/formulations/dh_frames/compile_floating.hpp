// From a Model to a chain whose segments float.
#pragma once

#include <cstddef>
#include <optional>

#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::dh_frames {

// Nothing unless the model is one chain of revolutes in the plane, cut at some of them, where the
// body outboard of a cut is the cut's child and hangs on a free joint on the ground, every other
// one on its revolute. The first body hangs on a revolute on the ground or floats; the last one is
// free. Drives, armatures and bodies without inertia are not taken.
std::optional<FloatingChain> floating_chain_of(const Model& model);

// A chain block of it: so many of its segments from the one `first` on, or as many as there are.
// Places in the state are counted from the chain block's first; impulses have none.
std::optional<FloatingChain> floating_chain_block_of(const Model& model, std::size_t first,
                                                     std::size_t segments);

}  // namespace hamiltree::dh_frames
