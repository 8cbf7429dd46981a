// A mechanism as MJCF, loops included. docs/formats/mjcf.md.
#pragma once

#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Loops are closed by equalities between sites, so that the start need not be assembled; where
// joints start elsewhere than at zero, a keyframe "start" says it. Throws ModelError for what MJCF
// cannot say.
std::string to_mjcf(const Mechanism& mechanism);

}  // namespace hamiltree
