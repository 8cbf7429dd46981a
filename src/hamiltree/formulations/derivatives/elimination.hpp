// The order in which the unknowns of joint space are eliminated: axes from the leaves of the tree
// to the ground, a row as soon as all axes on its way around the loop are.
#pragma once

#include <vector>

#include "hamiltree/formulations/derivatives/joint_space.hpp"

namespace hamiltree::derivatives {

// For these rows in use.
Elimination eliminate(const Tables& tables, const std::vector<bool>& in_use);

}  // namespace hamiltree::derivatives
