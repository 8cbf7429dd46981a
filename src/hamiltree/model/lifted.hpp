// A planar System in space, where it moves in the plane z = 0: in_plane.hpp the other way round.
#pragma once

#include "hamiltree/model/system.hpp"

namespace hamiltree {

// The same bodies and joints in their order, and q, v, p and Phi number by number: joints that
// close loops have the rows of the plane alone. Sliders slide along z of frames of their own in
// space, and their bodies have those axes. Inertia across the plane is of no matter. LoopGaps finds
// Phi of these tables; cut_residual() finds all rows of a type.
System<Spatial<double>> lifted(const System<Planar<double>>& system);

}  // namespace hamiltree
