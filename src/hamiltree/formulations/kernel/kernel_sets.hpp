// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/kernels.hpp"

namespace hamiltree::kernel {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::kernel
