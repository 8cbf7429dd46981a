// Trace: a straight-line program as a graph of operations. Nodes come in an order in which they can
// be evaluated, equal ones are shared, and whatever no output needs does not count. Traced
// (tracing.hpp) fills it by running a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "hamiltree/math/operation_count.hpp"

namespace hamiltree {

class Traced;

enum class TraceOp : std::uint8_t {
  kConstant,
  kInput,     // a = number of the input
  kAdd,       // a + b
  kSubtract,  // a - b
  kMultiply,
  kDivide,
  kNegate,
  kAbs,
  kSqrt,
  kSin,
  kCos,
  kTanh,
  kAtan2,      // atan2(a, b)
  kLess,       // mask, 1 or 0: a < b
  kLessEqual,  // mask: a <= b
  kSelect      // b where the mask a holds, else c; between masks too
};

using TraceIndex = std::uint32_t;

struct TraceNode {
  TraceOp op = TraceOp::kConstant;
  TraceIndex a = 0;
  TraceIndex b = 0;
  TraceIndex c = 0;
  double constant = 0.0;
};

// How many of a, b, c are operands.
int operand_count(TraceOp op);

// f(node) for each operand of a node.
template <class F>
void for_operands(const TraceNode& node, const F& f) {
  const int count = operand_count(node.op);
  if (count > 0) f(node.a);
  if (count > 1) f(node.b);
  if (count > 2) f(node.c);
}

// The value of one operation, exactly as Trace::evaluate and constant folding take it.
double apply_operation(TraceOp op, double a, double b = 0.0, double c = 0.0);

class Trace {
 public:
  struct Port {
    std::string name;
    TraceIndex node;
  };

  Trace();
  Trace(Trace&&) = default;  // not while a TraceScope refers to it
  Trace& operator=(Trace&&) = default;

  Traced input(std::string name);
  // Throws std::logic_error for a value of another trace.
  void output(std::string name, const Traced& value);

  // The outputs for one value per input, in order of creation. Throws std::invalid_argument
  // if their number differs.
  std::vector<double> evaluate(std::span<const double> inputs) const;

  // All of these see only what the outputs need.
  std::vector<TraceIndex> live_nodes() const;  // ascending: an order of evaluation
  std::size_t size() const;                    // nodes, with inputs and constants
  OperationCount count() const;
  std::size_t depth() const;  // operations on the longest path; negations and abs are free

  // Everything created so far; the operands of a node stand before it.
  const std::vector<TraceNode>& nodes() const { return nodes_; }
  const std::vector<Port>& inputs() const { return inputs_; }
  const std::vector<Port>& outputs() const { return outputs_; }

  // For the scalar and for passes over the graph: the node that equals this one, if need be new.
  // Operands of sums and products are put in ascending order first.
  TraceIndex node(TraceOp op, TraceIndex a, TraceIndex b = 0, TraceIndex c = 0);
  TraceIndex constant(double value);
  std::optional<TraceIndex> find(TraceOp op, TraceIndex a, TraceIndex b = 0,
                                 TraceIndex c = 0) const;

  std::uint32_t id() const { return id_; }  // differs between all traces of a process
  static Trace* current();                  // of this thread's innermost TraceScope, or null

 private:
  friend class TraceScope;
  struct Hash {
    std::size_t operator()(const TraceNode& node) const;
  };
  struct Equal {
    bool operator()(const TraceNode& x, const TraceNode& y) const;
  };

  TraceIndex intern(const TraceNode& node);

  std::uint32_t id_;
  std::vector<TraceNode> nodes_;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
  std::unordered_map<TraceNode, TraceIndex, Hash, Equal> known_;
};

// Makes a trace the one that operations on Traced are recorded in, on this thread.
class TraceScope {
 public:
  explicit TraceScope(Trace& trace);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  Trace* outer_;
};

}  // namespace hamiltree
