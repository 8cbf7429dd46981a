// The tables of a mechanism for the passes in joint space.
#pragma once

#include <optional>

#include "hamiltree/formulations/derivatives/joint_space.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::derivatives {

// Nothing where something of the mechanism has no place in them: loops beside bodies without
// inertia, universal joints and pins in slots that close loops, joints of loops that are driven or
// coupled, forces that do not act along the joints of the tree alone.
template <class Space>
std::optional<Tables> tables_of(const System<Space>& system);

extern template std::optional<Tables> tables_of(const System<Planar<double>>&);
extern template std::optional<Tables> tables_of(const System<Spatial<double>>&);

}  // namespace hamiltree::derivatives
