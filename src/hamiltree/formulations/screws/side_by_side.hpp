// Side by side: pins, and whole trees, as constants of lanes.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// A pin for each lane. null: a body without mass, at rest on its pin, which adds exactly nothing.
using PinsOfLanes = std::array<const Pin<double>*, kLanes>;
Pin<Pack> side_by_side(const PinsOfLanes& pins);

// Appends pins of a tree, kNobody for none.
void append(const Tree& tree, const std::array<int, kLanes>& pins, LanePins& to);

// One to eight trees; the last one fills the lanes that are left. Nothing if they are not connected
// alike.
std::optional<TreeOf<Pack>> side_by_side(std::span<const Tree> trees);

}  // namespace hamiltree::screws
