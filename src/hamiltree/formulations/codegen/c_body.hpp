// The body of a routine as C99: what the trace says, statement by statement.
#pragma once

#include <string>

#include "hamiltree/formulations/codegen/routine.hpp"

namespace hamiltree::codegen {

inline constexpr int kCLanes = 8;

// Straight-line code, but for sin_cos(), that takes all inputs before it gives an output: they may
// overlap.
std::string c_body(const Routine& routine);

// The same for eight states, entry i of lane k at [8 i + k] of every array. Arithmetic stands in
// loops over the lanes without branches and calls, as compilers make vector instructions of; what
// needs the library, and sin_cos_8(), stands between them. Arrays must not overlap.
std::string c_body_in_lanes(const Routine& routine);

}  // namespace hamiltree::codegen
