// Static hazard check: the encoded words are run with operations in the place of numbers, so that
// what a register holds is known by name. This sees everything between the graph and the bits.
#pragma once

#include "hardware/compiler/program.hpp"

namespace hamiltree::hardware {

// Throws std::logic_error, naming the cycle, if a register is read before it is written, read and
// written at once, a result is taken when there is none, or the words of the state do not end as
// the graph says.
void check_hazards(const Program& program, const Graph& graph);

}  // namespace hamiltree::hardware
