#include "hamiltree/math/trace_derivatives.hpp"

#include <cstddef>
#include <map>

namespace hamiltree {
namespace {

// The derivative of a value is x da + y db, or one of db and dc.

// Along one direction.
Traced combined(const Traced& x, const Traced& da, const Traced& y, const Traced& db) {
  return x * da + y * db;
}
Traced chosen(const TracedMask& mask, const Traced& db, const Traced& dc) {
  return select(mask, db, dc);
}

// By each input that it depends on; other derivatives are zero.
using Sparse = std::map<std::size_t, Traced>;

Sparse combined(const Traced& x, const Sparse& da, const Traced& y, const Sparse& db) {
  Sparse sum;
  for (const auto& [input, d] : da) sum[input] = x * d;
  for (const auto& [input, d] : db) {
    const auto [place, is_new] = sum.try_emplace(input, y * d);
    if (!is_new) place->second += y * d;
  }
  return sum;
}
Sparse chosen(const TracedMask& mask, const Sparse& db, const Sparse& dc) {
  Sparse result;
  for (const auto& [input, d] : db) {
    const auto other = dc.find(input);
    result[input] = select(mask, d, other == dc.end() ? Traced(0.0) : other->second);
  }
  for (const auto& [input, d] : dc) result.try_emplace(input, select(mask, Traced(0.0), d));
  return result;
}

template <class Tangent>
class Differentiation {
 public:
  Differentiation(const Trace& program, const std::vector<Traced>& inputs,
                  const std::vector<Tangent>& input_tangents)
      : program_(program),
        inputs_(inputs),
        input_tangents_(input_tangents),
        value_(program.nodes().size()),
        tangent_(program.nodes().size()) {
    for (const TraceIndex i : program.live_nodes()) {
      value_[i] = value(i);
      tangent_[i] = tangent(i);
    }
  }

  const Traced& value_of(const Trace::Port& output) const { return value_[output.node]; }
  const Tangent& tangent_of(const Trace::Port& output) const { return tangent_[output.node]; }

 private:
  Traced value(TraceIndex i) const {
    const auto& node = program_.nodes()[i];
    if (node.op == TraceOp::kConstant) return node.constant;
    if (node.op == TraceOp::kInput) return inputs_[node.a];
    return apply_operation(node.op, value_[node.a], value_[node.b], value_[node.c]);
  }

  static Tangent scaled(const Traced& x, const Tangent& da) {
    return combined(x, da, Traced(0.0), Tangent{});
  }

  Tangent tangent(TraceIndex i) const {
    const auto& node = program_.nodes()[i];
    const Traced &a = value_[node.a], &b = value_[node.b], &here = value_[i];
    const Tangent &da = tangent_[node.a], &db = tangent_[node.b];
    const Traced one(1.0);
    switch (node.op) {
      case TraceOp::kInput:
        return input_tangents_[node.a];
      case TraceOp::kAdd:
        return combined(one, da, one, db);
      case TraceOp::kSubtract:
        return combined(one, da, Traced(-1.0), db);
      case TraceOp::kMultiply:
        return combined(b, da, a, db);
      case TraceOp::kDivide:
        return combined(one / b, da, -here / b, db);
      case TraceOp::kNegate:
        return scaled(Traced(-1.0), da);
      case TraceOp::kAbs:
        return chosen(a < Traced(0.0), scaled(Traced(-1.0), da), da);
      case TraceOp::kSqrt:
        return scaled(Traced(0.5) / here, da);
      case TraceOp::kSin:
        return scaled(cos(a), da);
      case TraceOp::kCos:
        return scaled(-sin(a), da);
      case TraceOp::kTanh:
        return scaled(one - here * here, da);
      case TraceOp::kAtan2: {
        const Traced square = a * a + b * b;
        return combined(b / square, da, -a / square, db);
      }
      case TraceOp::kSelect:
        return chosen(mask_of(a), db, tangent_[node.c]);
      case TraceOp::kConstant:
      case TraceOp::kLess:
      case TraceOp::kLessEqual:
        break;
    }
    return {};
  }

  const Trace& program_;
  const std::vector<Traced>& inputs_;
  const std::vector<Tangent>& input_tangents_;
  std::vector<Traced> value_;
  std::vector<Tangent> tangent_;
};

}  // namespace

std::vector<Traced> inputs_like(const Trace& program, Trace& into) {
  std::vector<Traced> inputs;
  for (const auto& input : program.inputs()) inputs.push_back(into.input(input.name));
  return inputs;
}

TraceDerivatives differentiate(const Trace& program, const std::vector<Traced>& inputs) {
  std::vector<Sparse> units;
  for (std::size_t i = 0; i < inputs.size(); ++i) units.push_back({{i, Traced(1.0)}});
  const Differentiation<Sparse> pass(program, inputs, units);
  TraceDerivatives result;
  for (const auto& output : program.outputs()) {
    result.outputs.push_back(pass.value_of(output));
    auto& row = result.by_input.emplace_back(inputs.size(), Traced(0.0));
    for (const auto& [input, derivative] : pass.tangent_of(output)) row[input] = derivative;
  }
  return result;
}

std::vector<Traced> push_forward(const Trace& program, const std::vector<Traced>& inputs,
                                 const std::vector<Traced>& changes) {
  const Differentiation<Traced> pass(program, inputs, changes);
  std::vector<Traced> result;
  for (const auto& output : program.outputs()) result.push_back(pass.tangent_of(output));
  return result;
}

}  // namespace hamiltree
