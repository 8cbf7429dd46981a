// From a Model to a chain whose segments float.
#pragma once

#include <cstddef>
#include <optional>

#include "hamiltree/formulations/screws/floating_chain.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::screws {

// Nothing unless the model is one chain of pins in the plane, cut at some of them, where the body
// outboard of a cut is the cut's child and hangs on a free joint on the ground, every other one on
// its pin. The first body hangs on a pin on the ground or floats; the last one is free. Forces may
// act along joints that are not cut; drives, armatures and bodies without inertia are not taken.
std::optional<FloatingChain> floating_chain_of(const Model& model);

// A stretch of it: so many of its segments from the one `first` on, or as many as there are. Places
// in the state are counted from the stretch's first; impulses have none.
std::optional<FloatingChain> floating_stretch_of(const Model& model, std::size_t first,
                                                 std::size_t segments);

}  // namespace hamiltree::screws
