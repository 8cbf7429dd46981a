// Hubs: bodies on which many legs stand that lead to the ground on other ways. The rows of all
// their loops would be open at once on the body; welded together from pieces with a few legs each,
// it lets go of them piece by piece, and the cost of a leg does not grow with their number.
#pragma once

#include <optional>
#include <vector>

#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

// The same mechanism with the same state, cuts and rows: the pieces follow the hub, whose inertia
// they share, and have joints without velocities.
template <class Space>
struct SplitHubs {
  System<Space> system;
  std::vector<int> joints;  // of each joint of the whole its number here
};

// Nothing where no body is a hub: one whose joint is on the ground, with eight legs or more.
std::optional<SplitHubs<Planar<double>>> split_hubs(const System<Planar<double>>& whole);
std::optional<SplitHubs<Spatial<double>>> split_hubs(const System<Spatial<double>>& whole);

}  // namespace hamiltree
