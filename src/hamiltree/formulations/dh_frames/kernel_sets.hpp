// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/base/kernel_sets.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"

namespace hamiltree::dh_frames {

HAMILTREE_KERNEL_SETS(Kernels);

}  // namespace hamiltree::dh_frames
