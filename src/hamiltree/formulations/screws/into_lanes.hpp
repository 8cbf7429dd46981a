// Into lanes: subtrees of one tree side by side, where that is predicted to be faster.
#pragma once

#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// What a rate costs, ns; measured on one core of an EPYC with AVX-512, and the same everywhere, so
// that the same model is computed the same way on every machine.
struct Costs {
  double pin = 33.0;            // one pin after the other
  double lane_step = 90.0;      // eight pins side by side
  double hand_over = 150.0;     // between a bank and the tree, there and back
  double segment_step = 105.0;  // eight pins of segments side by side
  double joins = 1100.0;        // of eight segments

  double of(const Tree& tree) const;
};

// A chain becomes eight segments. Else subtrees are cut off, as large as pays: the largest is
// divided until nothing is gained.
Tree into_lanes(const Tree& tree, const Costs& costs);

}  // namespace hamiltree::screws
