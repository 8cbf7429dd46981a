// Program: what is loaded into the engine to run a step again and again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/compiler/engine_shape.hpp"
#include "hardware/compiler/graph.hpp"
#include "hardware/compiler/registers.hpp"
#include "hardware/compiler/schedule.hpp"

namespace hamiltree::hardware {

struct Program {
  struct Constant {
    Place place;
    Word value = 0;
    int input = 0;  // its number, of one that the processor may load anew; 0: none
  };
  EngineShape shape;
  std::vector<std::vector<std::uint32_t>> words;  // one per cycle of a step, slices low to high
  std::vector<Constant> constants;                // other registers than those of the state
  std::vector<std::string> states;                // word i stands in register i of bank 0
};

// The cost of a program, for people.
struct Report {
  int states = 0, constants = 0, additions = 0, multiplications = 0, reciprocals = 0;
  int critical_path = 0;                             // cycles, with as many units as can be used
  int cycles = 0;                                    // of a step
  double adders_used = 0.0, multipliers_used = 0.0;  // parts of their cycles
  std::vector<int> registers;                        // of each bank
};
std::string to_text(const Report& report);

struct Compiled {
  Graph graph;
  Program program;
  Report report;
};

// Schedules, allocates, encodes and checks (hazards.hpp). Throws std::length_error if the engine is
// too small: program words, registers or words of the state.
Compiled compile(Graph graph, const EngineShape& shape);

}  // namespace hamiltree::hardware
