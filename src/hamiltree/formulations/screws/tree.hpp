// A tree of pins in screw frames. Plain numbers: what is compiled for an instruction set includes
// nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
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
  bool is_planar = false;                 // all pins are along z, on bodies that do not float
  std::vector<Pin<K>> pins;               // depth first: a pin that continues follows its own
  std::vector<int> inboard;               // of each pin, among the pins; kNobody: the ground
  std::vector<FreeRoot> free_roots;       // in order
  std::vector<int> coordinate, velocity;  // of each slot, in the state
  std::vector<K> sign, offset;            // theta = sign q + offset; of a free root 1 and 0
  int branchings = 0;                     // places of sums of several children, or of banks
  std::array<K, 3> gravity{};             // m/s^2, world
};

// Pins of one tree side by side, up to eight at a time, depth first. Where a lane has no body there
// is one without mass at rest.
struct LanePins {
  std::vector<Pin<Pack>> pins;
  std::vector<std::array<int, kLanes>> coordinate, velocity;  // of the state; kNobody: none
  std::vector<Pack> sign, offset;                             // theta = sign q + offset
};

// Up to eight subtrees, a lane for each, laid over one another.
struct Bank : LanePins {
  std::array<int, kLanes> joins{};  // place of the sum of the pin inboard; kNobody: no subtree
  int branchings = 0;
};

// A stretch of a chain as eight segments, a lane for each. Ways are kMixedWay or kAnyWay, in the
// plane kAlongX.
struct Stretch : LanePins {
  Pin<Pack> next;  // the first pin of the next segment, of the chain's last one nobody
};

// A chain of pins on the ground, stretch after stretch. Neighbours are joined in a fixed order, the
// second of a pair into the first.
struct Chain {
  std::vector<Stretch> stretches;
  std::vector<std::array<std::size_t, 2>> joins;
  std::array<double, 9> root{};  // axes of the first pin in the world, row by row

  std::size_t longest() const {  // steps of a stretch
    std::size_t steps = 0;
    for (const auto& stretch : stretches) steps = std::max(steps, stretch.pins.size());
    return steps;
  }
};

struct Tree : TreeOf<double> {
  std::vector<Bank> banks;     // what is not among the pins
  std::optional<Chain> chain;  // all of it, and no pins
};

}  // namespace hamiltree::screws
