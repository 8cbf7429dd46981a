// Into lanes: subtrees of one tree side by side, where that is predicted to be faster.
#pragma once

#include <cstddef>
#include <string>

#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/lane_choice.hpp"

namespace hamiltree::dh_frames {

// The cost of a rate, ns; measured on one core of an EPYC with AVX-512, and the same everywhere, so
// that the same model is computed the same way on every machine.
struct Costs {
  double revolute = 33.0;       // one revolute after the other
  double lane_step = 90.0;      // eight revolutes side by side
  double hand_over = 150.0;     // between a lane group and the tree, there and back
  double segment_step = 107.0;  // eight revolutes of segments side by side
  double joins = 1300.0;        // of eight segments, where there are any

  double of(const Tree& tree) const;
};

inline constexpr Costs kSpatialCosts;
inline constexpr Costs kPlanarCosts = {
    .revolute = 22.0, .lane_step = 50.0, .hand_over = 120.0, .segment_step = 75.0, .joins = 130.0};
inline const Costs& costs_of(const Tree& tree) {
  return tree.is_planar ? kPlanarCosts : kSpatialCosts;
}

// A chain becomes chain blocks of eight segments. Else subtrees are cut off, as large as pays: the
// largest is divided until nothing is gained.
Tree into_lanes(const Tree& tree, const Costs& costs,
                std::size_t chain_block_bodies = kChainBlockBodies);
Tree into_lanes(const Tree& tree, LaneChoice choice);

// "100 bodies in DH frames, eight segments of 13 in lanes, predicted 2.1 us"
std::string plan_of(const Tree& tree);

}  // namespace hamiltree::dh_frames
