// Random operations of the chip's units, for its compiler and its engine.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "hardware/compiler/graph.hpp"

namespace hamiltree::test {

// Any of the values computed, or its negative, becomes each word of the next state.
inline hardware::Graph random_graph(std::mt19937_64& random, int states, int operations) {
  hardware::Graph graph({});
  std::vector<hardware::Graph::Value> values;
  for (int i = 0; i < states; ++i) values.push_back(graph.state("x" + std::to_string(i)));
  values.push_back(graph.constant(0.5));
  values.push_back(graph.constant(-1.25));
  const auto any = [&] {
    const auto i = random() % values.size();
    return random() % 2 == 0 ? values[i] : -values[i];
  };
  for (int i = 0; i < operations; ++i) {
    const auto kind = random() % 16;
    const auto a = any();
    const auto b = any();
    values.push_back(kind == 0  ? graph.reciprocal(a)
                     : kind < 8 ? graph.add(a, b)
                                : graph.multiply(a, b));
  }
  for (int i = 0; i < states; ++i) graph.replace(i, any());
  graph.separate_states();
  return graph;
}

}  // namespace hamiltree::test
