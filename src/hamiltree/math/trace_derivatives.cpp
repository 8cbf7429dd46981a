#include "hamiltree/math/trace_derivatives.hpp"

#include <map>
#include <utility>

namespace hamiltree {
namespace {

using Tangent = std::map<std::size_t, Traced>;  // by input; others are zero

class Differentiation {
 public:
  Differentiation(const Trace& program, Trace& into)
      : program_(program), value_(program.nodes().size()), tangent_(program.nodes().size()) {
    for (const auto& input : program.inputs()) inputs_.push_back(into.input(input.name));
    for (const TraceIndex i : program.live_nodes()) {
      value_[i] = value(i);
      tangent_[i] = tangent(i);
    }
  }

  TraceDerivatives result() const {
    TraceDerivatives result;
    for (const auto& output : program_.outputs()) {
      result.outputs.push_back(value_[output.node]);
      auto& row = result.by_input.emplace_back(inputs_.size(), Traced(0.0));
      for (const auto& [input, derivative] : tangent_[output.node]) row[input] = derivative;
    }
    return result;
  }

 private:
  TracedMask mask(TraceIndex i) const {
    const auto& node = program_.nodes()[i];
    switch (node.op) {
      case TraceOp::kLess:
        return value_[node.a] < value_[node.b];
      case TraceOp::kLessEqual:
        return value_[node.a] <= value_[node.b];
      case TraceOp::kSelect:
        return (mask(node.a) && mask(node.b)) || (!mask(node.a) && mask(node.c));
      default:
        return TracedMask(node.constant != 0.0);
    }
  }

  Traced value(TraceIndex i) const {
    const auto& node = program_.nodes()[i];
    const Traced &a = value_[node.a], &b = value_[node.b];
    switch (node.op) {
      case TraceOp::kConstant:
        return node.constant;
      case TraceOp::kInput:
        return inputs_[node.a];
      case TraceOp::kAdd:
        return a + b;
      case TraceOp::kSubtract:
        return a - b;
      case TraceOp::kMultiply:
        return a * b;
      case TraceOp::kDivide:
        return a / b;
      case TraceOp::kNegate:
        return -a;
      case TraceOp::kAbs:
        return abs(a);
      case TraceOp::kSqrt:
        return sqrt(a);
      case TraceOp::kSin:
        return sin(a);
      case TraceOp::kCos:
        return cos(a);
      case TraceOp::kTanh:
        return tanh(a);
      case TraceOp::kAtan2:
        return atan2(a, b);
      case TraceOp::kLess:
      case TraceOp::kLessEqual:
        return select(mask(i), Traced(1.0), Traced(0.0));
      case TraceOp::kSelect:
        return select(mask(node.a), b, value_[node.c]);
    }
    return {};
  }

  // x da + y db
  static Tangent combined(const Traced& x, const Tangent& da, const Traced& y, const Tangent& db) {
    Tangent sum;
    for (const auto& [input, d] : da) sum[input] = x * d;
    for (const auto& [input, d] : db) {
      const auto [place, is_new] = sum.try_emplace(input, y * d);
      if (!is_new) place->second += y * d;
    }
    return sum;
  }
  static Tangent scaled(const Traced& x, const Tangent& da) { return combined(x, da, x, {}); }

  Tangent chosen(const TracedMask& mask, const Tangent& db, const Tangent& dc) const {
    Tangent result;
    for (const auto& [input, d] : db) {
      const auto other = dc.find(input);
      result[input] = select(mask, d, other == dc.end() ? Traced(0.0) : other->second);
    }
    for (const auto& [input, d] : dc) result.try_emplace(input, select(mask, Traced(0.0), d));
    return result;
  }

  Tangent tangent(TraceIndex i) const {
    const auto& node = program_.nodes()[i];
    const Traced &a = value_[node.a], &b = value_[node.b], &here = value_[i];
    const Tangent &da = tangent_[node.a], &db = tangent_[node.b];
    const Traced one(1.0);
    switch (node.op) {
      case TraceOp::kInput:
        return {{node.a, one}};
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
        return chosen(mask(node.a), db, tangent_[node.c]);
      case TraceOp::kConstant:
      case TraceOp::kLess:
      case TraceOp::kLessEqual:
        break;
    }
    return {};
  }

  const Trace& program_;
  std::vector<Traced> inputs_, value_;
  std::vector<Tangent> tangent_;
};

}  // namespace

TraceDerivatives differentiate(const Trace& program, Trace& into) {
  return Differentiation(program, into).result();
}

}  // namespace hamiltree
