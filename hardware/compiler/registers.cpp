#include "hardware/compiler/registers.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree::hardware {

namespace {

int written_in(const Graph& graph, const Schedule& schedule, int node) {
  return schedule.at(node).start + graph.latency().of(graph.at(node).kind) + 1;
}

// By node: the cycle of the last read from a register; -1: none.
std::vector<int> last_reads(const Graph& graph, const Schedule& schedule) {
  std::vector<int> last(graph.operations().size(), -1);
  for (std::size_t i = 0; i < last.size(); ++i) {
    const int start = schedule.slots[i].start;
    if (start < 0) continue;
    const auto& operation = graph.operations()[i];
    const auto read = [&](int operand) {
      if (!is_forwarded(graph, schedule, operand, start)) {
        last[at(operand)] = std::max(last[at(operand)], start);
      }
    };
    if (operand_count(operation.kind) > 0) read(operation.a);
    if (operand_count(operation.kind) > 1) read(operation.b);
  }
  return last;
}

}  // namespace

bool is_forwarded(const Graph& graph, const Schedule& schedule, int operand, int start) {
  return runs(graph.at(operand).kind) && start == written_in(graph, schedule, operand) - 1;
}

Registers allocate_registers(const Graph& graph, const Schedule& schedule,
                             const EngineShape& shape) {
  Registers registers{std::vector<Place>(graph.operations().size()),
                      std::vector<int>(at(shape.banks()), 0)};
  const auto last = last_reads(graph, schedule);
  const auto live = graph.live();
  const auto next_of = [&](int bank) { return registers.used[at(bank)]++; };
  for (const auto& state : graph.states()) {
    registers.places[at(state.old)] = registers.places[at(state.next)] = {0, next_of(0)};
  }
  int constants = 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (live[i] == 0 || graph.operations()[i].kind != Kind::kConstant) continue;
    const int bank = shape.adders + constants++ % shape.multipliers;
    registers.places[i] = {bank, next_of(bank)};
  }

  struct Use {
    int written, last, node;
  };
  std::vector<Use> uses;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const int node = static_cast<int>(i);
    if (schedule.at(node).start < 0 || registers.places[i].is_kept() || last[i] < 0) continue;
    uses.push_back({written_in(graph, schedule, node), last[i], node});
  }
  std::sort(uses.begin(), uses.end(), [](const Use& x, const Use& y) {
    return std::pair(x.written, x.node) < std::pair(y.written, y.node);
  });
  std::vector<std::set<int>> free(at(shape.banks()));
  std::vector<std::set<std::pair<int, int>>> taken(at(shape.banks()));  // last read, address
  for (const auto& use : uses) {
    const int bank = shape.bank_of_lane(schedule.at(use.node).lane);
    auto& here = taken[at(bank)];
    while (!here.empty() && here.begin()->first < use.written) {
      free[at(bank)].insert(here.begin()->second);
      here.erase(here.begin());
    }
    int address = 0;
    if (free[at(bank)].empty()) {
      address = next_of(bank);
    } else {
      address = *free[at(bank)].begin();
      free[at(bank)].erase(free[at(bank)].begin());
    }
    here.insert({use.last, address});
    registers.places[at(use.node)] = {bank, address};
  }
  for (const int used : registers.used) {
    if (used > shape.registers()) {
      throw std::length_error("a bank has " + std::to_string(shape.registers()) +
                              " registers, but the program needs " + std::to_string(used));
    }
  }
  return registers;
}

}  // namespace hamiltree::hardware
