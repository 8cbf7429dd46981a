// The kernels of each instruction set, see sum_kernels.cpp.
#pragma once

#include <array>

#include "hamiltree/integrators/sums.hpp"

namespace hamiltree::sums {

extern const Kernels kBaseline;
#if defined(__x86_64__)
extern const Kernels kAvx2, kAvx512;
inline constexpr std::array kKernelSets{&kBaseline, &kAvx2, &kAvx512};  // as in InstructionSet
#else
inline constexpr std::array kKernelSets{&kBaseline};
#endif

}  // namespace hamiltree::sums
