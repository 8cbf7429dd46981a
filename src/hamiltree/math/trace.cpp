#include "hamiltree/math/trace.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace hamiltree {

namespace {

std::atomic<std::uint32_t> next_id{1};
thread_local Trace* current_trace = nullptr;

bool is_commutative(TraceOp op) { return op == TraceOp::kAdd || op == TraceOp::kMultiply; }

// Inputs, constants, negations and absolute values cost nothing.
bool is_counted(TraceOp op) {
  switch (op) {
    case TraceOp::kConstant:
    case TraceOp::kInput:
    case TraceOp::kNegate:
    case TraceOp::kAbs:
      return false;
    default:
      return true;
  }
}

auto key_of(const TraceNode& node) {  // constants by their bits: a nan is itself, -0 is not 0
  return std::make_tuple(node.op, node.a, node.b, node.c,
                         std::bit_cast<std::uint64_t>(node.constant));
}

// Finaliser of a 64-bit mixing hash.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15U;
  x ^= x >> 29;
  x *= 0xd1b54a32d192ed03U;
  return x ^ (x >> 32);
}

TraceNode make_node(TraceOp op, TraceIndex a, TraceIndex b, TraceIndex c) {
  if (is_commutative(op) && b < a) std::swap(a, b);
  return {op, a, b, c, 0.0};
}

}  // namespace

int operand_count(TraceOp op) {
  switch (op) {
    case TraceOp::kConstant:
    case TraceOp::kInput:
      return 0;
    case TraceOp::kNegate:
    case TraceOp::kAbs:
    case TraceOp::kSqrt:
    case TraceOp::kSin:
    case TraceOp::kCos:
    case TraceOp::kTanh:
      return 1;
    case TraceOp::kSelect:
      return 3;
    default:
      return 2;
  }
}

double apply_operation(TraceOp op, double a, double b, double c) {
  switch (op) {
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
      return std::abs(a);
    case TraceOp::kSqrt:
      return std::sqrt(a);
    case TraceOp::kSin:
      return std::sin(a);
    case TraceOp::kCos:
      return std::cos(a);
    case TraceOp::kTanh:
      return std::tanh(a);
    case TraceOp::kAtan2:
      return std::atan2(a, b);
    case TraceOp::kLess:
      return a < b ? 1.0 : 0.0;
    case TraceOp::kLessEqual:
      return a <= b ? 1.0 : 0.0;
    case TraceOp::kSelect:
      return a != 0.0 ? b : c;
    case TraceOp::kConstant:
    case TraceOp::kInput:
      break;
  }
  throw std::logic_error("a constant or an input is not an operation");
}

Trace::Trace() : id_(next_id++) {}

std::vector<double> Trace::evaluate(std::span<const double> inputs) const {
  if (inputs.size() != inputs_.size())
    throw std::invalid_argument("the trace has " + std::to_string(inputs_.size()) +
                                " inputs, but " + std::to_string(inputs.size()) +
                                " values were given");
  std::vector<double> values(nodes_.size());
  for (const TraceIndex i : live_nodes()) {
    const TraceNode& node = nodes_[i];
    if (node.op == TraceOp::kConstant)
      values[i] = node.constant;
    else if (node.op == TraceOp::kInput)
      values[i] = inputs[node.a];
    else
      values[i] = apply_operation(node.op, values[node.a], values[node.b], values[node.c]);
  }
  std::vector<double> results;
  results.reserve(outputs_.size());
  for (const Port& port : outputs_) results.push_back(values[port.node]);
  return results;
}

std::vector<TraceIndex> Trace::live_nodes() const {
  std::vector<char> is_live(nodes_.size(), 0);
  for (const Port& port : outputs_) is_live[port.node] = 1;
  std::vector<TraceIndex> live;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (is_live[i] == 0) continue;
    live.push_back(static_cast<TraceIndex>(i));
    for_operands(nodes_[i], [&](TraceIndex k) { is_live[k] = 1; });
  }
  std::reverse(live.begin(), live.end());
  return live;
}

std::size_t Trace::size() const { return live_nodes().size(); }

OperationCount Trace::count() const {
  OperationCount count;
  for (const TraceIndex i : live_nodes()) {
    switch (nodes_[i].op) {
      case TraceOp::kAdd:
      case TraceOp::kSubtract:
        ++count.additions;
        break;
      case TraceOp::kMultiply:
        ++count.multiplications;
        break;
      case TraceOp::kDivide:
        ++count.divisions;
        break;
      case TraceOp::kSqrt:
        ++count.square_roots;
        break;
      case TraceOp::kSin:
      case TraceOp::kCos:
      case TraceOp::kTanh:
      case TraceOp::kAtan2:
        ++count.trigonometric;
        break;
      case TraceOp::kLess:
      case TraceOp::kLessEqual:
        ++count.comparisons;
        break;
      case TraceOp::kSelect:
        ++count.selects;
        break;
      case TraceOp::kConstant:
      case TraceOp::kInput:
      case TraceOp::kNegate:
      case TraceOp::kAbs:
        break;
    }
  }
  return count;
}

std::size_t Trace::depth() const {
  std::vector<std::size_t> depths(nodes_.size(), 0);
  std::size_t longest = 0;
  for (const TraceIndex i : live_nodes()) {
    const TraceNode& node = nodes_[i];
    std::size_t before = 0;
    for_operands(node, [&](TraceIndex k) { before = std::max(before, depths[k]); });
    depths[i] = before + (is_counted(node.op) ? 1 : 0);
    longest = std::max(longest, depths[i]);
  }
  return longest;
}

TraceIndex Trace::node(TraceOp op, TraceIndex a, TraceIndex b, TraceIndex c) {
  return intern(make_node(op, a, b, c));
}

TraceIndex Trace::constant(double value) { return intern({TraceOp::kConstant, 0, 0, 0, value}); }

std::optional<TraceIndex> Trace::find(TraceOp op, TraceIndex a, TraceIndex b, TraceIndex c) const {
  const auto found = known_.find(make_node(op, a, b, c));
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

TraceIndex Trace::intern(const TraceNode& node) {
  const auto [place, is_new] = known_.try_emplace(node, static_cast<TraceIndex>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return place->second;
}

Trace* Trace::current() { return current_trace; }

std::size_t Trace::Hash::operator()(const TraceNode& node) const {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  hash = mix(hash ^ (std::uint64_t{node.a} << 32 | node.b));
  hash = mix(hash ^ node.c);
  hash = mix(hash ^ std::bit_cast<std::uint64_t>(node.constant));
  return static_cast<std::size_t>(hash);
}

bool Trace::Equal::operator()(const TraceNode& x, const TraceNode& y) const {
  return key_of(x) == key_of(y);
}

TraceScope::TraceScope(Trace& trace) : outer_(current_trace) { current_trace = &trace; }
TraceScope::~TraceScope() { current_trace = outer_; }

}  // namespace hamiltree
