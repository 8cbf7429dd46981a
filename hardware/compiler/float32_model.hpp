// The chip's arithmetic without its clock: one step of a graph, bit for bit.
#pragma once

#include <vector>

#include "hardware/compiler/graph.hpp"

namespace hamiltree::hardware {

class Float32Model {
 public:
  explicit Float32Model(const Graph& graph);

  void step(std::vector<Word>& state);

 private:
  struct Instruction {
    Kind kind;
    int a, b, result;
  };
  std::vector<Instruction> instructions_;
  std::vector<int> old_, next_;  // of the words of the state
  std::vector<Word> values_;
};

}  // namespace hamiltree::hardware
