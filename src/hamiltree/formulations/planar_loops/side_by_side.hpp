// Side by side: parts as the lanes of one.
#pragma once

#include <optional>
#include <vector>

#include "hamiltree/formulations/planar_loops/part.hpp"

namespace hamiltree::planar_loops {

// One to eight parts as lanes; the last one fills those that are left. Nothing if they are not
// connected alike.
std::optional<Linkage<Pack>> side_by_side(const std::vector<Part>& parts);
bool are_alike(const Linkage<double>& one, const Linkage<double>& other);

}  // namespace hamiltree::planar_loops
