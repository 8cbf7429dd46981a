// A mechanism with its start said joint by joint, for formats whose readers do not assemble loops.
#pragma once

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The mechanism, with guesses that are the coordinates at which its loops and couplings close from
// those that it has, and `cut` where they would choose another spanning tree. As it is where they
// close there, to rounding, and where it cannot be simulated.
Mechanism at_start(const Mechanism& mechanism);

}  // namespace hamiltree
