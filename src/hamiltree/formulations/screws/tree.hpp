// A tree of pins in screw frames. Plain numbers: what is compiled for an instruction set includes
// nothing else.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/screws/pin.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::screws {

inline constexpr int kNobody = -1;

// A body that floats.
struct FreeRoot {
  int slot = 0;        // of the first of its six velocities
  int coordinate = 0;  // of the first of its seven coordinates
};

// K: double, or Pack for eight instances that differ in their constants only.
template <class K>
struct TreeOf {
  std::vector<Pin<K>> pins;               // depth first: a pin that continues follows its own
  std::vector<int> inboard;               // of each pin, among the pins; kNobody: the ground
  std::vector<FreeRoot> free_roots;       // in order
  std::vector<int> coordinate, velocity;  // of each slot, in the state
  std::vector<K> sign, offset;            // theta = sign q + offset; of a free root 1 and 0
  int branchings = 0;                     // pins with several children, or with banks
  std::array<K, 3> gravity{};             // m/s^2, world
};

// Up to eight subtrees of one tree, a lane for each, laid over one another: where a lane has no
// body there is one without mass at rest.
struct Bank {
  std::vector<Pin<Pack>> pins;                                // as those of a tree; one root
  std::vector<std::array<int, kLanes>> coordinate, velocity;  // of the state; kNobody: none
  std::vector<Pack> sign, offset;                             // theta = sign q + offset
  std::array<int, kLanes> joins{};  // place of the sum of the pin inboard; kNobody: no subtree
  int branchings = 0;
};

struct Tree : TreeOf<double> {
  std::vector<Bank> banks;  // what is not among the pins
};

}  // namespace hamiltree::screws
