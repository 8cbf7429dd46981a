// The kernels of each instruction set, see loop_kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/ensemble/loop_kernels.hpp"

namespace hamiltree::loops {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::loops
