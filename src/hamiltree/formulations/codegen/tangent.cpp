#include "hamiltree/formulations/codegen/tangent.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/trace_derivatives.hpp"

namespace hamiltree::codegen {
namespace {

using Traces = std::vector<Traced>;

// Their changes, which are inputs too; the time's is none.
Traces take_changes(const Routine& routine, Routine& into) {
  Traces changes;
  for (const auto& argument : routine.inputs) {
    const auto name = "d_" + argument.name;
    const bool is_fixed = argument.name == "t";
    for (int i = 0; i < argument.size; ++i)
      changes.push_back(is_fixed ? Traced(0) : into.trace.input(name));
    if (is_fixed) continue;
    into.inputs.push_back(
        {name, argument.size, "change of " + argument.name, argument.is_array, argument.is_shared});
  }
  return changes;
}

// visit(argument, first, past): an output and its ports.
template <class Visit>
void for_outputs(const Routine& routine, const Visit& visit) {
  std::size_t port = 0;
  for (const auto& argument : routine.outputs) {
    const auto first = port;
    port += at(argument.size);
    visit(argument, first, port);
  }
}

}  // namespace

Routine tangent_of(const Routine& routine, const std::vector<std::string>& outputs) {
  Routine result{
      routine.name + "_tangent",
      "To first order, by how much results of " + routine.name + " change as its arguments do.",
      routine.inputs,
      {},
      {}};
  const TraceScope scope(result.trace);
  const auto inputs = inputs_like(routine.trace, result.trace);
  const auto changes = push_forward(routine.trace, inputs, take_changes(routine, result));
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    if (std::ranges::find(outputs, argument.name) == outputs.end()) return;
    const auto name = "d_" + argument.name;
    for (auto i = first; i < past; ++i) result.trace.output(name, changes[i]);
    result.outputs.push_back({name, argument.size, "change of " + argument.name});
  });
  return result;
}

Routine with_jacobians(const Routine& routine) {
  Routine result{routine.name, routine.meaning, routine.inputs, {}, {}};
  const TraceScope scope(result.trace);
  const auto inputs = inputs_like(routine.trace, result.trace);
  const auto derivatives = differentiate(routine.trace, inputs);
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    for (auto i = first; i < past; ++i) result.trace.output(argument.name, derivatives.outputs[i]);
    result.outputs.push_back(argument);
  });
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    const auto name = argument.name + "_x";
    for (auto i = first; i < past; ++i)
      for (const auto& derivative : derivatives.by_input[i]) result.trace.output(name, derivative);
    result.outputs.push_back({name, argument.size * static_cast<int>(inputs.size()),
                              "derivatives of " + argument.name + " by x, row by row"});
  });
  return result;
}

}  // namespace hamiltree::codegen
