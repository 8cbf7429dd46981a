// The Jacobians of a routine's outputs with respect to the state, from its trace.
#pragma once

#include "hamiltree/formulations/codegen/routine.hpp"

namespace hamiltree::codegen {

// Derivatives of all outputs of "rates", such as p_dot, by coordinates, momenta and the time:
// p_dot_q, p_dot_p, p_dot_t, row by row.
Routine jacobians_of(const Routine& rates);

}  // namespace hamiltree::codegen
