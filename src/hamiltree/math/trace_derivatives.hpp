// Derivatives of a traced program, as a traced program of its own: the chain rule, node by node.
// Where a comparison selects between two values, the derivative is that of the value selected.
#pragma once

#include <vector>

#include "hamiltree/math/tracing.hpp"

namespace hamiltree {

// Inputs of a trace with the names of another one's, in their order.
std::vector<Traced> inputs_like(const Trace& program, Trace& into);

struct TraceDerivatives {
  std::vector<Traced> outputs;                // the same program's
  std::vector<std::vector<Traced>> by_input;  // by output, then by input
};

// All derivatives, recorded in this thread's current trace. `inputs` stand for those of `program`.
TraceDerivatives differentiate(const Trace& program, const std::vector<Traced>& inputs);

// By how much each output changes, to first order, where inputs change by `changes`.
std::vector<Traced> push_forward(const Trace& program, const std::vector<Traced>& inputs,
                                 const std::vector<Traced>& changes);

}  // namespace hamiltree
