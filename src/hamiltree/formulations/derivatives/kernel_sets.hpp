// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/derivatives/kernels.hpp"

namespace hamiltree::derivatives {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::derivatives
