// A mechanism as URDF: trees, with what importers of URDF read. docs/formats/urdf.md.
#pragma once

#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Each link's frame becomes that of its joint. Throws ModelError for what URDF cannot say, loops
// first of all.
std::string to_urdf(const Mechanism& mechanism);

}  // namespace hamiltree
