// RevoluteMechanism: bodies on revolutes under gravity as numbers for lanes: a tree in space or in
// the plane, or a linkage with loops of revolutes that is planar, or moves in one plane of space.
#pragma once

#include <optional>
#include <variant>

#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/planar_loops/part.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

using RevoluteMechanism = std::variant<dh_frames::Tree, planar_loops::Part>;

// Nothing where a mechanism is another: with other joints, drives, couplings, bodies without
// inertia, redundant loops. Forces are not looked at.
std::optional<RevoluteMechanism> revolute_mechanism(const Model& model);

// Whether two of them can be computed side by side.
bool are_connected_alike(const RevoluteMechanism& one, const RevoluteMechanism& other);
// And run through the very same code, so that neither feels the other beside it.
bool are_alike(const RevoluteMechanism& one, const RevoluteMechanism& other);

}  // namespace hamiltree
