// The kernels of each instruction set, see sum_kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/integrators/sums.hpp"

namespace hamiltree::sums {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::sums
