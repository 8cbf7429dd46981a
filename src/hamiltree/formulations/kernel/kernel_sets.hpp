// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/kernels.hpp"

namespace hamiltree::kernel {

HAMILTREE_KERNEL_SETS(Kernels);

namespace states {

extern const StateKernels kBaseline, kAvx2, kAvx512;  // the program has the last; tests have others

}  // namespace states

}  // namespace hamiltree::kernel
