// Schedule: when and on which lane every operation of a graph starts.
#pragma once

#include <vector>

#include "hardware/compiler/engine_shape.hpp"
#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

// An operation that starts in cycle t reads its operands then and has its result in cycle
// t + latency + 1, when the result can be written, and when operations that started one cycle
// before take it from there ("forwarded"). One that starts in t + latency + 2 or later reads the
// register. In between neither is possible.
struct Schedule {
  struct Slot {
    int start = -1;  // -1: never runs
    int lane = 0;
  };
  std::vector<Slot> slots;  // by node
  int length = 0;           // cycles of a step

  const Slot& at(int node) const { return slots[static_cast<std::size_t>(node)]; }
};

// List scheduling: of all operations that could start, the one with the longest way to the end.
Schedule make_schedule(const Graph& graph, const EngineShape& shape);

}  // namespace hamiltree::hardware
