// The whole way from a mechanism to a program.
#pragma once

#include <vector>

#include "hardware/compiler/planar_step.hpp"
#include "hardware/compiler/program.hpp"

namespace hamiltree::hardware {

struct CompiledStep {
  std::vector<StateWord> words;  // of one instance
  Graph graph;
  Program program;
  Report report;
};

// `instances` of the mechanism step together, their states one after the other. Of the two ways to
// write pivots (algebra.hpp) the one that takes fewer cycles is kept. Throws as
// trace_planar_step() and compile() do.
CompiledStep compile_step(const Model& model, Update update, double h, const EngineShape& shape,
                          int instances = 1);

}  // namespace hamiltree::hardware
