// The kernels of each instruction set, see loop_kernels.cpp.
#pragma once

#include "hamiltree/ensemble/loop_kernels.hpp"

namespace hamiltree::loops {

extern const Kernels kBaseline;
#if defined(__x86_64__)
extern const Kernels kAvx2, kAvx512;
#endif

}  // namespace hamiltree::loops
