// Tangents: by how much what a routine gives changes when its arguments do, to first order. The
// chain rule, node by node, on the routine's own trace: exact, and shared with what it computes.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/routine.hpp"

namespace hamiltree::codegen {

// A routine "NAME_tangent". It takes the arguments, then their changes, named "d_q" for q, the
// time's excepted; it gives those of the outputs named. Where a comparison selects between two
// values, the change is that of the one selected.
Routine tangent_of(const Routine& routine, const std::vector<std::string>& outputs);

// The routine with all derivatives of its outputs, each of which is an array "NAME_x" with a row
// for each entry, by its only argument, x.
Routine with_jacobians(const Routine& routine);

}  // namespace hamiltree::codegen
