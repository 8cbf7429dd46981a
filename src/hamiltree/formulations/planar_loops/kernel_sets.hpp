// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/planar_loops/kernels.hpp"

namespace hamiltree::planar_loops {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::planar_loops
