// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::screws
