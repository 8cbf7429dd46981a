// Side by side: revolutes, and whole trees, as constants of lanes.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// A revolute for each lane. null: a body without mass, at rest on its revolute, which adds exactly
// nothing.
using RevolutesOfLanes = std::array<const Revolute<double>*, kLanes>;
Revolute<Pack> side_by_side(const RevolutesOfLanes& revolutes);

// Appends revolutes of a tree, kNobody for none.
void append(const Tree& tree, const std::array<int, kLanes>& revolutes, LaneRevolutes& to);

bool are_connected_alike(const Tree& one, const Tree& other);
// One to eight trees; the last one fills the lanes that are left. Nothing if they are not connected
// alike.
std::optional<TreeOf<Pack>> side_by_side(std::span<const Tree> trees);

}  // namespace hamiltree::dh_frames
