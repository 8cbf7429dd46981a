// OperationCount: how many scalar operations of each kind were executed (Counted) or are needed
// (Trace). Negations and absolute values are sign bits and not counted.
#pragma once

#include <cstddef>

namespace hamiltree {

struct OperationCount {
  std::size_t additions = 0;  // and subtractions
  std::size_t multiplications = 0;
  std::size_t divisions = 0;
  std::size_t square_roots = 0;
  std::size_t trigonometric = 0;  // calls of sin, cos, tanh and atan2
  std::size_t comparisons = 0;
  std::size_t selects = 0;

  // The papers' measure: additions and multiplications only.
  constexpr std::size_t flops() const { return additions + multiplications; }
  constexpr std::size_t total() const {
    return flops() + divisions + square_roots + trigonometric + comparisons + selects;
  }

  constexpr OperationCount& operator+=(const OperationCount& other) {
    additions += other.additions;
    multiplications += other.multiplications;
    divisions += other.divisions;
    square_roots += other.square_roots;
    trigonometric += other.trigonometric;
    comparisons += other.comparisons;
    selects += other.selects;
    return *this;
  }
  friend constexpr bool operator==(const OperationCount&, const OperationCount&) = default;
};

}  // namespace hamiltree
