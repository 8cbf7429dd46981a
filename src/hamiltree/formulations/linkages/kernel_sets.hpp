// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/linkages/kernels.hpp"

namespace hamiltree::linkages {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::linkages
