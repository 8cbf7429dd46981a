// A tree of revolutes in DH frames. Plain numbers: what is compiled for an instruction set includes
// nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "hamiltree/formulations/dh_frames/revolute.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::dh_frames {

inline constexpr int kNobody = -1;

// A body that floats.
struct FreeRoot {
  int slot = 0;        // of the first of its six velocities
  int coordinate = 0;  // of the first of its seven coordinates
};

// K: double, or Pack for eight instances that differ in their constants only.
template <class K>
struct TreeOf {
  bool is_planar = false;              // all revolutes are along z, on bodies that do not float
  std::vector<Revolute<K>> revolutes;  // depth first: a revolute that continues follows its own
  std::vector<int> inboard;            // of each revolute, among the revolutes; kNobody: the ground
  std::vector<FreeRoot> free_roots;    // in order
  std::vector<int> coordinate, velocity;  // of each slot, in the state
  std::vector<K> sign, offset;            // theta = sign q + offset; of a free root 1 and 0
  int branchings = 0;                     // places of sums of several children, or of lane groups
  std::array<K, 3> gravity{};             // m/s^2, world
};

// Revolutes of one tree side by side, up to eight at a time, depth first. Where a lane has no body
// there is one without mass at rest.
struct LaneRevolutes {
  std::vector<Revolute<Pack>> revolutes;
  std::vector<std::array<int, kLanes>> coordinate, velocity;  // of the state; kNobody: none
  std::vector<Pack> sign, offset;                             // theta = sign q + offset
};

// Up to eight subtrees, a lane for each, laid over one another.
struct LaneGroup : LaneRevolutes {
  std::array<int, kLanes> joins{};  // place of the sum of the revolute inboard; kNobody: no subtree
  int branchings = 0;
};

// A chain block of a chain as eight segments, a lane for each. Ways are kMixedCase or kAnyCase, in
// the plane kAlongX.
struct ChainBlock : LaneRevolutes {
  Revolute<Pack> next;  // the first revolute of the next segment, none for the chain's last
};

// A chain of revolutes on the ground, chain block after chain block. Neighbours are joined in a
// fixed order, the second of a pair into the first.
struct Chain {
  std::vector<ChainBlock> chain_blocks;
  std::vector<std::array<std::size_t, 2>> joins;
  std::array<double, 9> root{};  // axes of the first revolute in the world, row by row

  std::size_t longest() const {  // steps of a chain block
    std::size_t steps = 0;
    for (const auto& chain_block : chain_blocks)
      steps = std::max(steps, chain_block.revolutes.size());
    return steps;
  }
};

struct Tree : TreeOf<double> {
  std::vector<LaneGroup> lane_groups;  // what is not among the revolutes
  std::optional<Chain> chain;          // all of it, and no revolutes
};

}  // namespace hamiltree::dh_frames
