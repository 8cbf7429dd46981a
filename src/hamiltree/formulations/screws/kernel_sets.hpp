// The kernels of each instruction set, see kernels.cpp.
#pragma once

#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {

extern const Kernels kBaseline;
#if defined(__x86_64__)
extern const Kernels kAvx2, kAvx512;
#endif

}  // namespace hamiltree::screws
