// Masses of model files: added up, moved, and computed from shapes.
#pragma once

#include <Eigen/Core>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Adds what `part` weighs to `body`; X is the frame of the part in that of the body.
void add_mass(BodyDescription& body, const Frame& X, const BodyDescription& part);

// Adds a force that carries a part of what a body weighs, at its centre of mass; none where it
// weighs nothing.
void carry_weight(const std::string& name, const BodyDescription& body, double part,
                  Mechanism& mechanism);

}  // namespace hamiltree
