#include "hardware/compiler/graph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/text.hpp"

namespace hamiltree::hardware {

const char* name_of(Kind kind) {
  constexpr std::array<const char*, 6> kNames{"state",    "constant", "add",
                                              "subtract", "multiply", "reciprocal"};
  return kNames[static_cast<std::size_t>(kind)];
}

int Graph::intern(const Operation& operation) {
  const auto [place, is_new] = known_.try_emplace(operation, static_cast<int>(operations_.size()));
  if (is_new) {
    int ready = 0;
    if (operand_count(operation.kind) > 0) ready = arrival(operation.a);
    if (operand_count(operation.kind) > 1) ready = std::max(ready, arrival(operation.b));
    operations_.push_back(operation);
    arrival_.push_back(ready + latency_.of(operation.kind));
  }
  return place->second;
}

Graph::Value Graph::state(std::string name) {
  const int node = intern({Kind::kState, static_cast<int>(states_.size()), 0, 0});
  states_.push_back({std::move(name), node, node});
  return {node, false};
}

Graph::Value Graph::constant(double value) {
  if (std::isinf(static_cast<float>(value)) && std::isfinite(value)) {
    throw std::range_error(to_short(value) +
                           ", is beyond single precision, in which the chip computes");
  }
  const Word word = without_subnormals(bits_of(static_cast<float>(value)));
  return {intern({Kind::kConstant, 0, 0, word & ~kSignBit}), (word & kSignBit) != 0};
}

Graph::Value Graph::input(Word value) {
  return {intern({Kind::kConstant, ++inputs_, 0, value}), false};
}

// A sum with one positive operand is positive: a + b, a - b or b - a. Only -a - b is not.
Graph::Value Graph::add(Value a, Value b) {
  if (a.negative != b.negative) {
    if (a.negative) std::swap(a, b);
    if (known_.contains({Kind::kSubtract, b.node, a.node, 0})) {
      return {intern({Kind::kSubtract, b.node, a.node, 0}), true};
    }
    return {intern({Kind::kSubtract, a.node, b.node, 0}), false};
  }
  return {intern({Kind::kAdd, std::min(a.node, b.node), std::max(a.node, b.node), 0}), a.negative};
}

Graph::Value Graph::multiply(Value a, Value b) {
  return {intern({Kind::kMultiply, std::min(a.node, b.node), std::max(a.node, b.node), 0}),
          a.negative != b.negative};
}

Graph::Value Graph::reciprocal(Value a) {
  return {intern({Kind::kReciprocal, a.node, 0, 0}), a.negative};
}

void Graph::replace(int state, Value next) {
  const auto kind = at(next.node).kind;
  const bool is_sum = kind == Kind::kAdd || kind == Kind::kSubtract;
  const bool is_own = is_sum && !next.negative && !is_next(next.node);
  states_[static_cast<std::size_t>(state)].next = is_own ? next.node : copy_of(next);
}

bool Graph::is_next(int node) const {
  return std::any_of(states_.begin(), states_.end(),
                     [&](const State& state) { return state.next == node; });
}

// x - 0 is x, bit for bit; -x is 0 - x but for the sign of a zero. A copy that another word has
// already is copied again.
int Graph::copy_of(Value value) {
  const int zero = constant(0.0).node;
  int copy = value.negative ? intern({Kind::kSubtract, zero, value.node, 0})
                            : intern({Kind::kSubtract, value.node, zero, 0});
  while (is_next(copy)) copy = intern({Kind::kSubtract, copy, zero, 0});
  return copy;
}

void Graph::separate_states() {
  std::vector<char> is_copy(states_.size(), 0);
  for (;;) {
    const auto order = starting_order();
    bool stuck = false;
    for (std::size_t i = 0; i < states_.size() && !stuck; ++i) {
      stuck = order[static_cast<std::size_t>(states_[i].next)] == 0 && is_copy[i] == 0;
      if (!stuck) continue;
      states_[i].next = copy_of({states_[i].next, false});
      is_copy[i] = 1;
    }
    if (!stuck) return;
  }
}

std::vector<std::vector<int>> Graph::followers() const {
  std::vector<std::vector<int>> followers(operations_.size());
  std::vector<int> next_of(operations_.size(), -1);  // of old words of the state
  const auto live = this->live();
  for (const auto& state : states_) next_of[static_cast<std::size_t>(state.old)] = state.next;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const auto& operation = operations_[i];
    const int operands = live[i] == 0 ? 0 : operand_count(operation.kind);
    for (int k = 0; k < operands; ++k) {
      const auto operand = static_cast<std::size_t>(k == 0 ? operation.a : operation.b);
      if (k == 1 && operation.a == operation.b) continue;
      followers[operand].push_back(static_cast<int>(i));
      const int next = next_of[operand];
      if (next >= 0 && next != static_cast<int>(i)) followers[i].push_back(next);
    }
  }
  return followers;
}

// By node: whether it can start at all, when what it follows has to start before it.
std::vector<char> Graph::starting_order() const {
  const auto followers = this->followers();
  std::vector<int> missing(operations_.size(), 0);
  for (const auto& all : followers) {
    for (const int follower : all) ++missing[static_cast<std::size_t>(follower)];
  }
  std::vector<char> starts(operations_.size(), 0);
  std::vector<int> ready;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] == 0) ready.push_back(static_cast<int>(i));
  }
  while (!ready.empty()) {
    const auto node = static_cast<std::size_t>(ready.back());
    ready.pop_back();
    starts[node] = 1;
    for (const int follower : followers[node]) {
      if (--missing[static_cast<std::size_t>(follower)] == 0) ready.push_back(follower);
    }
  }
  return starts;
}

std::vector<char> Graph::live() const {
  std::vector<char> live(operations_.size(), 0);
  for (const auto& state : states_) live[static_cast<std::size_t>(state.next)] = 1;
  for (std::size_t i = operations_.size(); i-- > 0;) {
    if (live[i] == 0) continue;
    const auto& operation = operations_[i];
    if (operand_count(operation.kind) > 0) live[static_cast<std::size_t>(operation.a)] = 1;
    if (operand_count(operation.kind) > 1) live[static_cast<std::size_t>(operation.b)] = 1;
  }
  return live;
}

std::array<int, 6> Graph::count() const {
  std::array<int, 6> count{};
  const auto is_live = live();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    if (is_live[i] != 0) ++count[static_cast<std::size_t>(operations_[i].kind)];
  }
  return count;
}

int Graph::critical_path() const {
  int longest = 0;
  for (const auto& state : states_) longest = std::max(longest, arrival(state.next));
  return longest;
}

Graph interleaved(const Graph& graph, int instances) {
  Graph all(graph.latency());
  for (int instance = 0; instance < instances; ++instance) {
    std::vector<Graph::Value> values;
    std::size_t next_state = 0;
    for (const auto& operation : graph.operations()) {
      const auto a = [&] { return values[static_cast<std::size_t>(operation.a)]; };
      const auto b = [&] { return values[static_cast<std::size_t>(operation.b)]; };
      switch (operation.kind) {
        case Kind::kState:
          values.push_back(
              all.state(graph.states()[next_state++].name + "@" + std::to_string(instance)));
          break;
        case Kind::kConstant:
          values.push_back(operation.a == 0
                               ? all.constant(static_cast<double>(float_of(operation.constant)))
                               : all.input(operation.constant));
          break;
        case Kind::kAdd:
          values.push_back(all.add(a(), b()));
          break;
        case Kind::kSubtract:
          values.push_back(all.add(a(), -b()));
          break;
        case Kind::kMultiply:
          values.push_back(all.multiply(a(), b()));
          break;
        case Kind::kReciprocal:
          values.push_back(all.reciprocal(a()));
          break;
      }
    }
    const int first = static_cast<int>(all.states().size() - graph.states().size());
    for (std::size_t i = 0; i < graph.states().size(); ++i) {
      all.replace(first + static_cast<int>(i),
                  values[static_cast<std::size_t>(graph.states()[i].next)]);
    }
  }
  all.separate_states();
  return all;
}

}  // namespace hamiltree::hardware
