#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "hardware/compiler/algebra.hpp"

namespace hamiltree::hardware {

class Algebra::Emitter {
 public:
  using Value = Graph::Value;

  Emitter(const Algebra& algebra, const std::vector<Term>& values, const std::vector<Value>& states,
          Graph& graph)
      : algebra_(algebra),
        states_(states),
        graph_(graph),
        uses_(algebra.nodes_.size(), 0),
        done_(algebra.nodes_.size()) {
    std::vector<char> seen(uses_.size(), 0);
    const auto use = [&](int node) {
      if (node == kOne) return;
      ++uses_[static_cast<std::size_t>(node)];
      seen[static_cast<std::size_t>(node)] = 1;
    };
    for (const auto& value : values) use(value.node);
    for (std::size_t i = seen.size(); i-- > 0;) {
      if (seen[i] == 0) continue;
      for (const auto& part : algebra.nodes_[i].parts) use(part.node);
    }
  }

  Value value(Term x) {
    if (x.is_number()) return graph_.constant(x.factor);
    if (std::abs(x.factor) == 1.0) return x.factor > 0.0 ? node(x.node) : -node(x.node);
    std::vector<Value> factors{graph_.constant(x.factor)};
    add_factors(x.node, factors);
    return combine(factors, [&](Value a, Value b) { return graph_.multiply(a, b); });
  }

 private:
  bool is_used_once(int node) const { return uses_[static_cast<std::size_t>(node)] == 1; }

  Value node(int n) {
    auto& known = done_[static_cast<std::size_t>(n)];
    if (!known) known = make(n);
    return *known;
  }

  Value make(int n) {
    const Node& node = algebra_.at(n);
    switch (node.form) {
      case Form::kState:
        return states_[static_cast<std::size_t>(node.number)];
      case Form::kReciprocal:
        return graph_.reciprocal(value(node.parts.front()));
      case Form::kSum: {
        std::vector<Value> terms;
        for (const auto& part : node.parts) add_terms(part, terms);
        return combine(terms, [&](Value a, Value b) { return graph_.add(a, b); });
      }
      case Form::kProduct:
        break;
    }
    std::vector<Value> factors;
    for (const auto& part : node.parts) add_factors(part.node, factors);
    return combine(factors, [&](Value a, Value b) { return graph_.multiply(a, b); });
  }

  void add_terms(Term x, std::vector<Value>& terms) {
    if (algebra_.is_sum(x.node) && is_used_once(x.node) && std::abs(x.factor) == 1.0) {
      for (const auto& part : algebra_.at(x.node).parts) {
        add_terms({x.factor * part.factor, part.node}, terms);
      }
    } else {
      terms.push_back(value(x));
    }
  }

  void add_factors(int n, std::vector<Value>& factors) {
    if (algebra_.at(n).form == Form::kProduct && is_used_once(n)) {
      for (const auto& part : algebra_.at(n).parts) add_factors(part.node, factors);
    } else {
      factors.push_back(node(n));
    }
  }

  // Always the two that are there first.
  template <class Operation>
  Value combine(std::vector<Value> values, const Operation& operation) {
    const auto later = [&](const Value& x, const Value& y) {
      const int a = graph_.arrival(x.node);
      const int b = graph_.arrival(y.node);
      return a != b ? a > b : x.node > y.node;
    };
    std::make_heap(values.begin(), values.end(), later);
    while (values.size() > 1) {
      std::pop_heap(values.begin(), values.end(), later);
      const Value first = values.back();
      values.pop_back();
      std::pop_heap(values.begin(), values.end(), later);
      values.back() = operation(first, values.back());
      std::push_heap(values.begin(), values.end(), later);
    }
    return values.front();
  }

  const Algebra& algebra_;
  const std::vector<Value>& states_;
  Graph& graph_;
  std::vector<int> uses_;
  std::vector<std::optional<Value>> done_;
};

std::vector<Graph::Value> Algebra::to_graph(const std::vector<Term>& values,
                                            const std::vector<Graph::Value>& states,
                                            Graph& graph) const {
  Emitter emitter(*this, values, states, graph);
  std::vector<Graph::Value> result;
  for (const auto& value : values) result.push_back(emitter.value(value));
  return result;
}

}  // namespace hamiltree::hardware
