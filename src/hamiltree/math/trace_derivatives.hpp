// Derivatives of a traced program, as a traced program of its own: forward through the graph, one
// sum for each input that a node depends on.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/math/tracing.hpp"

namespace hamiltree {

struct TraceDerivatives {
  std::vector<Traced> outputs;                // the same program's
  std::vector<std::vector<Traced>> by_input;  // by output, then by input
};

// Recorded in `into`, which is empty and this thread's current trace, with inputs as those of
// `program`. Where a selection jumps the derivative is that of the branch that is taken.
TraceDerivatives differentiate(const Trace& program, Trace& into);

}  // namespace hamiltree
