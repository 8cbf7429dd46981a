#include "hardware/compiler/lower.hpp"

#include <stdexcept>

#include "hardware/compiler/algebra.hpp"

namespace hamiltree::hardware {

Graph lower(const Trace& trace, const Latency& latency, bool joins_pivots,
            const std::vector<Word>& inputs) {
  Algebra algebra(joins_pivots);
  const std::size_t words = trace.outputs().size();
  std::vector<Algebra::Term> terms(trace.nodes().size());
  for (const auto i : trace.live_nodes()) {
    const auto& node = trace.nodes()[i];
    const auto& a = terms[node.a];
    const auto& b = terms[node.b];
    switch (node.op) {
      case TraceOp::kConstant:
        terms[i] = Algebra::number(node.constant);
        break;
      case TraceOp::kInput:
        if (node.a >= words + inputs.size()) {
          throw std::invalid_argument(trace.inputs()[node.a].name + " is not known to the chip");
        }
        terms[i] = algebra.state(static_cast<int>(node.a));
        break;
      case TraceOp::kAdd:
        terms[i] = algebra.add(a, b);
        break;
      case TraceOp::kSubtract:
        terms[i] = algebra.add(a, Algebra::negative(b));
        break;
      case TraceOp::kMultiply:
        terms[i] = algebra.multiply(a, b);
        break;
      case TraceOp::kDivide:
        terms[i] = algebra.multiply(a, algebra.reciprocal(b));
        break;
      case TraceOp::kNegate:
        terms[i] = Algebra::negative(a);
        break;
      default:
        throw std::invalid_argument(
            "the chip adds, multiplies and takes reciprocals, nothing else");
    }
  }
  Graph graph(latency);
  std::vector<Graph::Value> states;
  std::vector<Algebra::Term> next;
  for (std::size_t i = 0; i < words; ++i) {
    states.push_back(graph.state(trace.inputs()[i].name));
    next.push_back(terms[trace.outputs()[i].node]);
  }
  for (const Word input : inputs) states.push_back(graph.input(input));
  const auto values = algebra.to_graph(next, states, graph);
  for (std::size_t i = 0; i < words; ++i) graph.replace(static_cast<int>(i), values[i]);
  graph.separate_states();
  return graph;
}

}  // namespace hamiltree::hardware
