#include "hamiltree/math/trace_program.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hamiltree {
namespace {

// f(operand) for each one of a node.
template <class F>
void for_operands(const TraceNode& node, const F& f) {
  const int count = operand_count(node.op);
  if (count > 0) f(node.a);
  if (count > 1) f(node.b);
  if (count > 2) f(node.c);
}

bool is_operation(const TraceNode& node) { return operand_count(node.op) > 0; }

// Operations on the longest path to each node; 0 of constants and inputs.
std::vector<std::size_t> levels_of(const Trace& trace, const std::vector<TraceIndex>& live) {
  std::vector<std::size_t> levels(trace.nodes().size(), 0);
  for (const auto i : live) {
    for_operands(trace.nodes()[i],
                 [&](TraceIndex k) { levels[i] = std::max(levels[i], levels[k] + 1); });
  }
  return levels;
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

}  // namespace

TraceProgram::TraceProgram(const Trace& trace, std::size_t early)
    : inputs_(trace.inputs().size()), early_outputs_(std::min(early, trace.outputs().size())) {
  const auto& nodes = trace.nodes();
  const auto live = trace.live_nodes();
  const auto levels = levels_of(trace, live);
  const auto is_early = needed_by(trace, live, early_outputs_);
  std::vector<TraceIndex> place(nodes.size(), 0), operations;
  values_.resize(inputs_);
  for (const auto i : live) {
    if (nodes[i].op == TraceOp::kInput) {
      place[i] = nodes[i].a;
    } else if (is_operation(nodes[i])) {
      operations.push_back(i);
    } else {
      place[i] = static_cast<TraceIndex>(values_.size());
      values_.push_back(nodes[i].constant);
    }
  }
  std::ranges::stable_sort(operations, {}, [&](TraceIndex i) {
    return std::make_tuple(!is_early[i], levels[i], nodes[i].op);
  });
  first_ = values_.size();
  for (const auto i : operations) {
    const auto& node = nodes[i];
    const auto at = first_ + a_.size();
    place[i] = static_cast<TraceIndex>(at);
    const auto early_count = static_cast<std::size_t>(is_early[i]);
    const bool goes_on = !runs_.empty() && runs_.back().op == node.op &&
                         levels[operations[a_.size() - 1]] == levels[i] &&
                         is_early[operations[a_.size() - 1]] == is_early[i];
    if (!goes_on) {
      runs_.push_back({node.op, at, at});
      early_runs_ += early_count;
    }
    runs_.back().last = at + 1;
    const int count = operand_count(node.op);
    a_.push_back(place[node.a]);
    b_.push_back(count > 1 ? place[node.b] : 0);
    c_.push_back(count > 2 ? place[node.c] : 0);
  }
  a_.insert(a_.begin(), first_, 0);
  b_.insert(b_.begin(), first_, 0);
  c_.insert(c_.begin(), first_, 0);
  for (const auto& port : trace.outputs()) outputs_.push_back(place[port.node]);
  values_.resize(a_.size());
  derivatives_.resize(a_.size());
}

void TraceProgram::evaluate(std::span<const double> inputs) {
  std::ranges::copy(inputs, values_.begin());
  double* x = values_.data();
  const auto* a = a_.data();
  const auto* b = b_.data();
  for (const auto& [op, first, last] : runs_) {
    const auto each = [&, first = first, last = last](const auto& value) {
      for (std::size_t i = first; i < last; ++i) x[i] = value(i);
    };
    switch (op) {
      case TraceOp::kAdd:
        each([&](std::size_t i) { return x[a[i]] + x[b[i]]; });
        break;
      case TraceOp::kSubtract:
        each([&](std::size_t i) { return x[a[i]] - x[b[i]]; });
        break;
      case TraceOp::kMultiply:
        each([&](std::size_t i) { return x[a[i]] * x[b[i]]; });
        break;
      default:
        each([&, op = op](std::size_t i) {
          return apply_operation(op, x[a[i]], x[b[i]], x[c_[i]]);
        });
    }
  }
}

void TraceProgram::push_run(const Run& run) {
  const double* x = values_.data();
  double* d = derivatives_.data();
  for (std::size_t i = run.first; i < run.last; ++i) {
    const auto a = a_[i], b = b_[i];
    switch (run.op) {
      case TraceOp::kAdd:
        d[i] = d[a] + d[b];
        break;
      case TraceOp::kSubtract:
        d[i] = d[a] - d[b];
        break;
      case TraceOp::kMultiply:
        d[i] = d[a] * x[b] + x[a] * d[b];
        break;
      case TraceOp::kDivide:
        d[i] = (d[a] - x[i] * d[b]) / x[b];
        break;
      case TraceOp::kNegate:
        d[i] = -d[a];
        break;
      case TraceOp::kAbs:
        d[i] = x[a] < 0.0 ? -d[a] : d[a];
        break;
      case TraceOp::kSqrt:
        d[i] = d[a] == 0.0 ? 0.0 : d[a] / (2.0 * x[i]);
        break;
      case TraceOp::kSin:
        d[i] = std::cos(x[a]) * d[a];
        break;
      case TraceOp::kCos:
        d[i] = -std::sin(x[a]) * d[a];
        break;
      case TraceOp::kTanh:
        d[i] = (1.0 - x[i] * x[i]) * d[a];
        break;
      case TraceOp::kAtan2:
        d[i] = (x[b] * d[a] - x[a] * d[b]) / (x[a] * x[a] + x[b] * x[b]);
        break;
      case TraceOp::kSelect:
        d[i] = x[a] != 0.0 ? d[b] : d[c_[i]];
        break;
      default:  // masks, which do not move
        d[i] = 0.0;
    }
  }
}

void TraceProgram::push(std::span<const double> inputs, std::span<double> outputs) {
  std::fill(derivatives_.begin(), derivatives_.end(), 0.0);
  std::ranges::copy(inputs, derivatives_.begin());
  for (const auto& run : runs_) push_run(run);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = derivatives_[outputs_[i]];
}

// Divisions by zero are skipped where nothing depends on them: on the side of a select that was
// not taken.
void TraceProgram::pull_run(const Run& run) {
  const double* x = values_.data();
  double* d = derivatives_.data();
  const auto *a = a_.data(), *b = b_.data();
  const auto each = [&](const auto& pull_one) {
    for (std::size_t i = run.last; i-- > run.first;) pull_one(i, d[i]);
  };
  const auto where_felt = [&](const auto& pull_one) {
    for (std::size_t i = run.last; i-- > run.first;) {
      if (d[i] != 0.0) pull_one(i, d[i]);
    }
  };
  switch (run.op) {
    case TraceOp::kAdd:
      return each([&](std::size_t i, double g) {
        d[a[i]] += g;
        d[b[i]] += g;
      });
    case TraceOp::kSubtract:
      return each([&](std::size_t i, double g) {
        d[a[i]] += g;
        d[b[i]] -= g;
      });
    case TraceOp::kMultiply:
      return each([&](std::size_t i, double g) {
        d[a[i]] += g * x[b[i]];
        d[b[i]] += g * x[a[i]];
      });
    case TraceOp::kDivide:
      return where_felt([&](std::size_t i, double g) {
        const double share = g / x[b[i]];
        d[a[i]] += share;
        d[b[i]] -= share * x[i];
      });
    case TraceOp::kNegate:
      return each([&](std::size_t i, double g) { d[a[i]] -= g; });
    case TraceOp::kAbs:
      return each([&](std::size_t i, double g) { d[a[i]] += x[a[i]] < 0.0 ? -g : g; });
    case TraceOp::kSqrt:
      return where_felt([&](std::size_t i, double g) { d[a[i]] += g / (2.0 * x[i]); });
    case TraceOp::kSin:
      return each([&](std::size_t i, double g) { d[a[i]] += std::cos(x[a[i]]) * g; });
    case TraceOp::kCos:
      return each([&](std::size_t i, double g) { d[a[i]] -= std::sin(x[a[i]]) * g; });
    case TraceOp::kTanh:
      return each([&](std::size_t i, double g) { d[a[i]] += (1.0 - x[i] * x[i]) * g; });
    case TraceOp::kAtan2:
      return where_felt([&](std::size_t i, double g) {
        const double y = x[a[i]], z = x[b[i]];
        const double share = g / (y * y + z * z);
        d[a[i]] += z * share;
        d[b[i]] -= y * share;
      });
    case TraceOp::kSelect:
      return each([&](std::size_t i, double g) { d[x[a[i]] != 0.0 ? b[i] : c_[i]] += g; });
    default:
      return;
  }
}

void TraceProgram::pull(std::span<const double> outputs, std::span<double> inputs) {
  std::fill(derivatives_.begin(), derivatives_.end(), 0.0);
  for (std::size_t i = 0; i < outputs.size(); ++i) derivatives_[outputs_[i]] += outputs[i];
  for (std::size_t run = outputs.size() > early_outputs_ ? runs_.size() : early_runs_; run-- > 0;)
    pull_run(runs_[run]);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] += derivatives_[i];
}

}  // namespace hamiltree
