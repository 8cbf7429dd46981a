// From a trace to the units' operations.
#pragma once

#include <vector>

#include "hamiltree/math/trace.hpp"
#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

// The outputs of the trace replace its first inputs, which are the state; the inputs after them are
// registers that the processor loads, with these values to begin with. `joins_pivots`: by (3) and
// (4) of algebra.hpp, for a shorter critical path and some more operations.
// Throws std::invalid_argument for operations that the units do not have.
Graph lower(const Trace& trace, const Latency& latency, bool joins_pivots = true,
            const std::vector<Word>& inputs = {});

}  // namespace hamiltree::hardware
