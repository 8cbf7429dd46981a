#include "hamiltree/formulations/codegen/tangent.hpp"

#include <algorithm>
#include <optional>

#include "hamiltree/math/tracing.hpp"

namespace hamiltree::codegen {
namespace {

using Traces = std::vector<Traced>;

class TangentPass {
 public:
  // Of each input of the trace, what it is and by how much it changes.
  TangentPass(const Trace& from, const Traces& inputs, const Traces& changes)
      : from_(from),
        values_(from.nodes().size()),
        changes_(values_.size()),
        masks_(values_.size()) {
    for (const auto i : from_.live_nodes()) visit(i, inputs, changes);
  }

  const Traced& value(TraceIndex i) const { return values_[i]; }
  const Traced& change(TraceIndex i) const { return changes_[i]; }

 private:
  void visit(TraceIndex i, const Traces& inputs, const Traces& changes) {
    const auto& node = from_.nodes()[i];
    const Traced &a = values_[node.a], &b = values_[node.b];
    const Traced &da = changes_[node.a], &db = changes_[node.b];
    Traced& value = values_[i];
    Traced& change = changes_[i];
    switch (node.op) {
      case TraceOp::kConstant:
        value = node.constant;
        break;
      case TraceOp::kInput:
        value = inputs[node.a];
        change = changes[node.a];
        break;
      case TraceOp::kAdd:
        value = a + b;
        change = da + db;
        break;
      case TraceOp::kSubtract:
        value = a - b;
        change = da - db;
        break;
      case TraceOp::kMultiply:
        value = a * b;
        change = da * b + a * db;
        break;
      case TraceOp::kDivide:
        value = a / b;
        change = (da - value * db) / b;
        break;
      case TraceOp::kNegate:
        value = -a;
        change = -da;
        break;
      case TraceOp::kAbs:
        value = abs(a);
        change = select(a < Traced(0), -da, da);
        break;
      case TraceOp::kSqrt:
        value = sqrt(a);
        change = Traced(0.5) * da / value;
        break;
      case TraceOp::kSin:
        value = sin(a);
        change = cos(a) * da;
        break;
      case TraceOp::kCos:
        value = cos(a);
        change = -(sin(a) * da);
        break;
      case TraceOp::kTanh:
        value = tanh(a);
        change = (Traced(1) - value * value) * da;
        break;
      case TraceOp::kAtan2:
        value = atan2(a, b);
        change = (b * da - a * db) / (a * a + b * b);
        break;
      case TraceOp::kLess:
        masks_[i] = a < b;
        value = select(*masks_[i], Traced(1), Traced(0));
        break;
      case TraceOp::kLessEqual:
        masks_[i] = a <= b;
        value = select(*masks_[i], Traced(1), Traced(0));
        break;
      case TraceOp::kSelect: {
        const auto mask = masks_[node.a] ? *masks_[node.a] : Traced(0) < a;
        value = select(mask, b, values_[node.c]);
        change = select(mask, db, changes_[node.c]);
        break;
      }
    }
  }

  const Trace& from_;
  Traces values_, changes_;
  std::vector<std::optional<TracedMask>> masks_;  // of comparisons
};

// The inputs of a routine as those of another.
Traces take_inputs(const Routine& routine, Routine& into) {
  Traces inputs;
  for (const auto& port : routine.trace.inputs()) inputs.push_back(into.trace.input(port.name));
  into.inputs = routine.inputs;
  return inputs;
}

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
    port += static_cast<std::size_t>(argument.size);
    visit(argument, first, port);
  }
}

void give_changes(const Routine& routine, const std::vector<std::string>& outputs, Routine& into) {
  const TraceScope scope(into.trace);
  const auto inputs = take_inputs(routine, into);
  const TangentPass pass(routine.trace, inputs, take_changes(routine, into));
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    if (std::ranges::find(outputs, argument.name) == outputs.end()) return;
    const auto name = "d_" + argument.name;
    for (auto i = first; i < past; ++i)
      into.trace.output(name, pass.change(routine.trace.outputs()[i].node));
    into.outputs.push_back({name, argument.size, "change of " + argument.name});
  });
}

void give_jacobians(const Routine& routine, Routine& into) {
  const TraceScope scope(into.trace);
  const auto inputs = take_inputs(routine, into);
  std::vector<TangentPass> passes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Traces unit(inputs.size(), Traced(0));
    unit[i] = Traced(1);
    passes.emplace_back(routine.trace, inputs, unit);
  }
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    for (auto i = first; i < past; ++i)
      into.trace.output(argument.name, passes.front().value(routine.trace.outputs()[i].node));
    into.outputs.push_back(argument);
  });
  for_outputs(routine, [&](const Argument& argument, std::size_t first, std::size_t past) {
    for (auto i = first; i < past; ++i) {
      for (const auto& pass : passes)
        into.trace.output(argument.name + "_x", pass.change(routine.trace.outputs()[i].node));
    }
    into.outputs.push_back({argument.name + "_x", argument.size * static_cast<int>(inputs.size()),
                            "derivatives of " + argument.name + " by x, row by row"});
  });
}

}  // namespace

Routine tangent_of(const Routine& routine, const std::vector<std::string>& outputs) {
  Routine result{
      routine.name + "_tangent",
      "To first order, by how much results of " + routine.name + " change as its arguments do.",
      {},
      {},
      {}};
  give_changes(routine, outputs, result);
  return result;
}

Routine with_jacobians(const Routine& routine) {
  Routine result{routine.name, routine.meaning, {}, {}, {}};
  give_jacobians(routine, result);
  return result;
}

}  // namespace hamiltree::codegen
