// Registers: where every value of a scheduled graph is kept.
#pragma once

#include <vector>

#include "hardware/compiler/schedule.hpp"

namespace hamiltree::hardware {

struct Place {
  int bank = -1, address = -1;  // -1: never read from a register
  bool is_kept() const { return bank >= 0; }
};

struct Registers {
  std::vector<Place> places;  // by node; a new word of the state lies where the old one was
  std::vector<int> used;      // of each bank
  const Place& at(int node) const { return places[static_cast<std::size_t>(node)]; }
};

// States stand first in the first adder's bank, constants in those of the multipliers; all else
// takes the lowest register that is free from the write to the last read. None is read and written
// in the same cycle. Throws std::length_error if a bank overflows.
Registers allocate_registers(const Graph& graph, const Schedule& schedule,
                             const EngineShape& shape);

// Whether an operation that starts at `start` takes the operand from the unit, not the register.
bool is_forwarded(const Graph& graph, const Schedule& schedule, int operand, int start);

}  // namespace hamiltree::hardware
