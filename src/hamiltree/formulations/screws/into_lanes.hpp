// Into lanes: subtrees of one tree side by side, where that is predicted to be faster.
#pragma once

#include <cstddef>
#include <string>

#include "hamiltree/formulations/lane_choice.hpp"
#include "hamiltree/formulations/screws/stretches.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// What a rate costs, ns; measured on one core of an EPYC with AVX-512, and the same everywhere, so
// that the same model is computed the same way on every machine.
struct Costs {
  double pin = 33.0;            // one pin after the other
  double lane_step = 90.0;      // eight pins side by side
  double hand_over = 150.0;     // between a bank and the tree, there and back
  double segment_step = 107.0;  // eight pins of segments side by side
  double joins = 1300.0;        // of eight segments, where there are any

  double of(const Tree& tree) const;
};

inline constexpr Costs kSpatialCosts;
inline constexpr Costs kPlanarCosts = {
    .pin = 22.0, .lane_step = 50.0, .hand_over = 120.0, .segment_step = 75.0, .joins = 130.0};
inline const Costs& costs_of(const Tree& tree) {
  return tree.is_planar ? kPlanarCosts : kSpatialCosts;
}

// A chain becomes stretches of eight segments. Else subtrees are cut off, as large as pays: the
// largest is divided until nothing is gained.
Tree into_lanes(const Tree& tree, const Costs& costs, std::size_t stretch_bodies = kStretchBodies);
Tree into_lanes(const Tree& tree, LaneChoice choice);

// "100 bodies in screw frames, eight segments of 13 in lanes, predicted 2.1 us"
std::string plan_of(const Tree& tree);

}  // namespace hamiltree::screws
