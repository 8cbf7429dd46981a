#include "hamiltree/math/trace_sums.hpp"

#include <cstddef>

namespace hamiltree {
namespace {

bool is_linear(TraceOp op) {
  return op == TraceOp::kAdd || op == TraceOp::kSubtract || op == TraceOp::kNegate;
}
bool is_term(TraceOp op) { return is_linear(op) || op == TraceOp::kMultiply; }

class Sums {
 public:
  Sums(const Trace& trace, const MayJoin& may_join)
      : nodes_(trace.nodes()),
        may_join_(may_join),
        live_(trace.live_nodes()),
        uses_(nodes_.size(), 0),
        user_(nodes_.size(), 0) {
    for (const auto i : live_) for_operands(nodes_[i], [&](TraceIndex k) { use(k, i); });
    for (const auto& output : trace.outputs()) uses_[output.node] = 2;  // has its own place
  }

  std::vector<TraceOperation> all() const {
    std::vector<TraceOperation> all;
    for (const auto i : live_) {
      const auto& node = nodes_[i];
      if (operand_count(node.op) == 0 || is_part(i)) continue;
      TraceOperation operation;
      operation.node = i;
      if (is_term(node.op)) {
        add(i, 1.0, operation);
      } else {
        operation.op = node.op;
        operation.a = node.a;
        operation.b = node.b;
        operation.c = node.c;
      }
      all.push_back(std::move(operation));
    }
    return all;
  }

 private:
  void use(TraceIndex operand, TraceIndex by) {
    ++uses_[operand];
    user_[operand] = by;
  }
  // Whether it is a term of the one sum that needs it.
  bool is_part(TraceIndex i) const {
    return uses_[i] == 1 && is_term(nodes_[i].op) && is_linear(nodes_[user_[i]].op) &&
           may_join_(i, user_[i]);
  }
  bool is_constant(TraceIndex i) const { return nodes_[i].op == TraceOp::kConstant; }

  void add_operand(TraceIndex i, double sign, TraceOperation& sum) const {
    if (is_part(i)) return add(i, sign, sum);
    sum.multiples.push_back({i, sign});
  }
  void add(TraceIndex i, double sign, TraceOperation& sum) const {
    const auto& [op, a, b, c, constant] = nodes_[i];
    if (op == TraceOp::kMultiply) {
      if (is_constant(a)) {
        sum.multiples.push_back({b, sign * nodes_[a].constant});
      } else if (is_constant(b)) {
        sum.multiples.push_back({a, sign * nodes_[b].constant});
      } else {
        sum.products.push_back({a, b, sign});
      }
      return;
    }
    if (op == TraceOp::kNegate) return add_operand(a, -sign, sum);
    add_operand(a, sign, sum);
    add_operand(b, op == TraceOp::kSubtract ? -sign : sign, sum);
  }

  const std::vector<TraceNode>& nodes_;
  const MayJoin& may_join_;
  std::vector<TraceIndex> live_;
  std::vector<int> uses_;
  std::vector<TraceIndex> user_;  // the last
};

}  // namespace

std::vector<TraceOperation> sums_of(const Trace& trace, const MayJoin& may_join) {
  return Sums(trace, may_join).all();
}

}  // namespace hamiltree
