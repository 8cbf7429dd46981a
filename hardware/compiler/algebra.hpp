// Algebra: what a trace says, in a form that can be rearranged. A value is a number times a node;
// nodes are state words, sums, products and reciprocals. Unlike the trace it draws numbers out of
// products, lets terms of sums cancel, and moves reciprocals off each other's way:
//   (1)  k x * l y          = (k l) (x y)
//   (2)  (r + u) - (r + w)  = u - w                  positions of two points of the world
//   (3)  1 / (x - y / a)    = a / (a x - y)          pivots of L d L^T side by side
//   (4)  a (x - y / a)      = a x - y
// In exact arithmetic nothing changes; rounding does.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

class Algebra {
 public:
  static constexpr int kOne = -1;  // node of a number
  struct Term {
    double factor = 0.0;
    int node = kOne;
    auto operator<=>(const Term&) const = default;
    bool is_number() const { return node == kOne || factor == 0.0; }
  };

  explicit Algebra(bool joins_pivots) : joins_pivots_(joins_pivots) {}  // (3) and (4)

  Term state(int number);
  static Term number(double value) { return {value, kOne}; }
  Term add(Term x, Term y);
  Term multiply(Term x, Term y);
  Term reciprocal(Term x);

  // All that the values need, on the units. Sums and products whose parts nobody else uses start
  // with what is there first.
  static Term negative(Term x) { return {-x.factor, x.node}; }
  std::vector<Graph::Value> to_graph(const std::vector<Term>& values,
                                     const std::vector<Graph::Value>& states, Graph& graph) const;

 private:
  enum class Form { kState, kSum, kProduct, kReciprocal };
  struct Node {
    Form form = Form::kState;
    int number = 0;            // of a state word
    std::vector<Term> parts;   // of a sum; of a product two factors, of a reciprocal its operand
    std::vector<Term> terms;   // of a sum: all its terms, sums in sums opened, by node
    std::vector<int> factors;  // of all others: what it is a product of, by node
  };
  class Emitter;

  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  bool is_sum(int node) const { return node != kOne && at(node).form == Form::kSum; }
  Term intern(Node node);
  std::vector<Term> terms_of(Term x) const;
  std::vector<int> factors_of(int node) const;
  Term sum_of(const std::vector<Term>& terms, std::size_t begin, std::size_t end);
  Term product_of(const std::vector<int>& factors);
  Term pair(Term x, Term y);
  // The number a in (3) and (4): the latest reciprocal in the terms of a sum; kOne if there is
  // none.
  int pivot_of(int sum) const;
  Term times_pivot(int sum, int pivot);

  bool joins_pivots_;
  std::vector<Node> nodes_;
  std::map<std::tuple<Form, int, std::vector<Term>>, int> known_;
};

}  // namespace hamiltree::hardware
