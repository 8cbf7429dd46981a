// PinMechanism: bodies on pins under gravity as numbers for lanes: a tree in space or in the plane,
// or in the plane a linkage with loops that pins close.
#pragma once

#include <optional>
#include <variant>

#include "hamiltree/formulations/linkages/part.hpp"
#include "hamiltree/formulations/screws/tree.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

using PinMechanism = std::variant<screws::Tree, linkages::Part>;

// Nothing where a mechanism is another: with other joints, drives, couplings, bodies without
// inertia, redundant loops. Forces are not looked at.
std::optional<PinMechanism> pin_mechanism(const Model& model);

// Whether two of them run through the very same code, so that neither feels the other beside it.
bool are_alike(const PinMechanism& one, const PinMechanism& other);

}  // namespace hamiltree
