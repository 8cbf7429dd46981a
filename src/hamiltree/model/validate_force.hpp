// The checks of one force: what it acts on and its numbers.
#pragma once

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

void check_force(const ForceDescription& force, const Mechanism& mechanism, const Names& names);

}  // namespace hamiltree
