// The assembly phase of [Turno2023] alone, as the paper puts it on the chip: two bodies in, the
// compound body and what the way back needs out. For comparison with the whole step.
#pragma once

#include "hamiltree/math/trace.hpp"

namespace hamiltree::hardware {

// Eqs. 27-37 for a revolute joint between two planar bodies. The outputs stand for the first
// inputs, which are only the places that they go to; then follow the coefficients of body A and of
// body B: xi_11 and xi_22 (upper triangles), xi_12, xi_10, xi_20.
Trace trace_paper_assembly();

}  // namespace hamiltree::hardware
