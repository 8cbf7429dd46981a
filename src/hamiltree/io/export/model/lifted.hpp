// A planar mechanism as a spatial one that moves in the plane in the same way, for formats that
// know space only.
#pragma once

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The plane becomes x-y, and a spatial mechanism stays as it is. Inertias about axes in the plane,
// which no motion needs, are half of those about z, as of a thin disc.
Mechanism lifted(Mechanism mechanism);

}  // namespace hamiltree
