// From a trace to the units' operations.
#pragma once

#include "hamiltree/math/trace.hpp"
#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

// The outputs of the trace replace its first inputs, which are the state. `joins_pivots`: by (3) and
// (4) of algebra.hpp, for a shorter critical path and some more operations.
// Throws std::invalid_argument for operations that the units do not have.
Graph lower(const Trace& trace, const Latency& latency, bool joins_pivots = true);

}  // namespace hamiltree::hardware
