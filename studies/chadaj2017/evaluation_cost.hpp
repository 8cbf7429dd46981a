// The cost of one evaluation of the rates by hdca: the operations, and how many of them must
// follow each other.
#pragma once

#include <cstdint>

#include "hamiltree/model/model.hpp"

namespace hamiltree::studies {

struct Cost {
  std::uint64_t work = 0;  // operations
  std::uint32_t span = 0;  // the longest chain of operations that wait for each other
};

struct EvaluationCost {
  Cost poses;                     // one body after the other, as the program computes them
  Cost scanned_poses;             // the same poses by a scan
  Cost contraction;               // the factors of all compounds
  Cost disassembly;               // impulses and velocities
  Cost rates;                     // loads and momentum rates, as if they waited for all velocities
  Cost accelerations;             // and the reactions
  std::uint32_t merged_span = 0;  // of all together, where nothing waits but for what it needs

  std::uint64_t velocities() const { return poses.work + contraction.work + disassembly.work; }
  std::uint64_t work() const { return velocities() + rates.work; }
  // One phase after the other, poses by a scan.
  std::uint32_t separate_span() const {
    return scanned_poses.span + contraction.span + disassembly.span + rates.span;
  }
};

// The cost for a planar mechanism, at a random pose with random momenta (seed 2017). Poses are
// scanned where each body hangs on the one before.
EvaluationCost evaluation_cost(const System<Planar<double>>& system);

}  // namespace hamiltree::studies
