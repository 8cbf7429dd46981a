// Masses of model files: added up, moved, and computed from shapes.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Adds what `part` weighs to `body`; X is the frame of the part in that of the body.
void add_mass(BodyDescription& body, const Frame& X, const BodyDescription& part);

// Whether there is neither mass nor inertia.
bool is_massless(const BodyDescription& body);

}  // namespace hamiltree
