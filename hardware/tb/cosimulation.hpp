// Co-simulation: the chip beside its float32 model, every word of the state at every step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/compiler/graph.hpp"
#include "hardware/compiler/program.hpp"
#include "hardware/tb/driven_chip.hpp"

namespace hamiltree::hardware {

struct Comparison {
  std::uint64_t steps = 0;        // done by the chip
  std::uint64_t words = 0;        // compared
  std::uint64_t differences = 0;  // between words, and between the step counts
  std::string first;              // the first difference in words
  std::uint64_t cpu_words = 0;    // that crossed the bus while the engine ran free
  std::uint64_t cycles = 0;       // counted by the chip
  bool snapshot_agrees = false;   // the state read over the bus in the end
  bool flags = false;             // nan or overflow
};

// Runs so many steps from the state.
Comparison cosimulate(DrivenChip& chip, const Graph& graph, std::vector<Word> state,
                      std::uint32_t steps);

}  // namespace hamiltree::hardware
