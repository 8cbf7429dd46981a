// A tree of pins in screw frames. Plain numbers: what is compiled for an instruction set
// includes nothing else.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/screws/pin.hpp"

namespace hamiltree::screws {

struct Tree {
  std::vector<Pin<double>> pins;     // depth first: a pin that continues follows its own
  std::vector<int> body;             // of the System
  std::vector<double> sign, offset;  // theta = sign q + offset
  int branchings = 0;                // pins with several children
  std::array<double, 3> gravity{};   // m/s^2, world

  bool is_heavy() const { return gravity != std::array<double, 3>{}; }
};

}  // namespace hamiltree::screws
