#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "hamiltree/math/trace_program.hpp"

namespace hamiltree {
namespace {

// f(node) for each operand of an operation.
template <class F>
void for_sources(const TraceOperation& operation, const F& f) {
  for (const auto& product : operation.products) {
    f(product.a);
    f(product.b);
  }
  for (const auto& multiple : operation.multiples) f(multiple.a);
  if (operation.op == TraceOp::kAdd) return;
  const int count = operand_count(operation.op);
  f(operation.a);
  if (count > 1) f(operation.b);
  if (count > 2) f(operation.c);
}

std::vector<bool> needed_by(const Trace& trace, const std::vector<TraceIndex>& live,
                            std::size_t outputs) {
  std::vector<bool> needed(trace.nodes().size(), false);
  for (std::size_t i = 0; i < outputs; ++i) needed[trace.outputs()[i].node] = true;
  for (auto i = live.rbegin(); i != live.rend(); ++i) {
    if (needed[*i]) for_operands(trace.nodes()[*i], [&](TraceIndex k) { needed[k] = true; });
  }
  return needed;
}

std::vector<bool> moved_by(const Trace& trace, const std::vector<TraceIndex>& live,
                           TraceProgram::Inputs inputs) {
  std::vector<bool> moves(trace.nodes().size(), false);
  for (const auto i : live) {
    const auto& node = trace.nodes()[i];
    if (node.op == TraceOp::kInput) moves[i] = inputs.first <= node.a && node.a < inputs.end;
    for_operands(node, [&](TraceIndex k) { moves[i] = moves[i] || moves[k]; });
  }
  return moves;
}

}  // namespace

// Gives every value its place: inputs, constants, then operations, those of one shape in turn as
// far as their operands allow.
class TraceProgram::Layout {
 public:
  Layout(const Trace& trace, TraceProgram& program)
      : trace_(trace),
        program_(program),
        live_(trace.live_nodes()),
        is_early_(needed_by(trace, live_, program.early_outputs_)),
        moves_(moved_by(trace, live_, program.moving_)),
        operations_(
            sums_of(trace, [&](TraceIndex x, TraceIndex y) { return group(x) == group(y); })),
        place_(trace.nodes().size(), 0) {
    place_leaves();
    find_users();
    for (int g = 0; g < kGroups; ++g) {
      begin_group(g);
      lay_out_group(g);
    }
    begin_group(kGroups);
    pair_angles();
    for (const auto& port : trace_.outputs()) program_.outputs_.push_back(place_[port.node]);
  }

 private:
  using Shape = std::tuple<TraceOp, std::size_t, std::size_t>;

  int group(TraceIndex node) const { return (moves_[node] ? kMoving : 0) + !is_early_[node]; }
  static Shape shape(const TraceOperation& operation) {
    return {operation.op, operation.products.size(), operation.multiples.size()};
  }

  void place_leaves() {
    program_.values_.resize(program_.inputs_);
    for (const auto i : live_) {
      const auto& node = trace_.nodes()[i];
      if (node.op == TraceOp::kInput) place_[i] = node.a;
      if (node.op != TraceOp::kConstant) continue;
      place_[i] = static_cast<TraceIndex>(program_.values_.size());
      program_.values_.push_back(node.constant);
    }
    next_ = program_.values_.size();
  }

  // Which operations of the same group wait for which.
  void find_users() {
    std::vector<std::size_t> operation_of(trace_.nodes().size(), operations_.size());
    for (std::size_t i = 0; i < operations_.size(); ++i) operation_of[operations_[i].node] = i;
    users_.resize(operations_.size());
    waits_for_.assign(operations_.size(), 0);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      for_sources(operations_[i], [&](TraceIndex k) {
        const auto operand = operation_of[k];
        if (operand == operations_.size() || group(k) != group(operations_[i].node)) return;
        users_[operand].push_back(i);
        ++waits_for_[i];
      });
    }
  }

  void begin_group(int g) {
    program_.group_runs_[static_cast<std::size_t>(g)] = program_.runs_.size();
    program_.group_places_[static_cast<std::size_t>(g)] = next_;
  }

  void lay_out_group(int g) {
    std::map<Shape, std::queue<std::size_t>> ready;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (group(operations_[i].node) == g && waits_for_[i] == 0)
        ready[shape(operations_[i])].push(i);
    }
    while (!ready.empty()) {
      const auto most = std::ranges::max_element(
          ready, {}, [](const auto& of_shape) { return of_shape.second.size(); });
      begin_run(most->first);
      auto& waiting = most->second;  // those laid out here may add to it
      while (!waiting.empty()) {
        const auto i = waiting.front();
        waiting.pop();
        lay_out(operations_[i]);
        for (const auto user : users_[i])
          if (--waits_for_[user] == 0) ready[shape(operations_[user])].push(user);
      }
      ready.erase(most);
    }
  }

  void begin_run(const Shape& shape) {
    const auto& [op, products, multiples] = shape;
    program_.runs_.push_back({op, next_, next_, products, multiples, program_.products_.size(),
                              program_.multiples_.size(), program_.others_.size()});
  }

  void lay_out(const TraceOperation& operation) {
    for (const auto& [a, b, sign] : operation.products)
      program_.products_.push_back({place_[a], place_[b], sign});
    for (const auto& [a, factor] : operation.multiples)
      program_.multiples_.push_back({place_[a], factor});
    if (operation.op != TraceOp::kAdd) {
      const int count = operand_count(operation.op);
      if (operation.op == TraceOp::kSin || operation.op == TraceOp::kCos)
        angles_.emplace_back(operation.node, program_.others_.size());
      program_.others_.push_back(
          {place_[operation.a], count > 1 ? place_[operation.b] : 0,
           count > 2 ? place_[operation.c] : static_cast<TraceIndex>(next_)});
    }
    place_[operation.node] = static_cast<TraceIndex>(next_++);
    program_.runs_.back().last = next_;
  }

  // Sines and cosines of one angle find each other, unless one alone is evaluated early.
  void pair_angles() {
    for (const auto& [node, place_in_others] : angles_) {
      const auto op = trace_.nodes()[node].op == TraceOp::kSin ? TraceOp::kCos : TraceOp::kSin;
      const auto other = trace_.find(op, trace_.nodes()[node].a);
      if (!other || place_[*other] == 0 || (is_early_[node] && !is_early_[*other])) continue;
      program_.others_[place_in_others].c = place_[*other];
    }
  }

  const Trace& trace_;
  TraceProgram& program_;
  std::vector<TraceIndex> live_;
  std::vector<bool> is_early_, moves_;
  std::vector<TraceOperation> operations_;
  std::vector<TraceIndex> place_;  // by node
  std::vector<std::vector<std::size_t>> users_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::pair<TraceIndex, std::size_t>> angles_;  // sines and cosines, among others_
  std::size_t next_ = 0;
};

TraceProgram::TraceProgram(const Trace& trace, std::size_t early, Inputs moving)
    : inputs_(trace.inputs().size()),
      early_outputs_(std::min(early, trace.outputs().size())),
      moving_(moving) {
  const Layout layout(trace, *this);
  values_.resize(group_places_[kGroups]);
  derivatives_.resize(values_.size());
}

}  // namespace hamiltree
