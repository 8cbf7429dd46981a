// Kernels that are compiled once for each instruction set (cmake/instruction_sets.cmake): the
// constants of all sets, and a table of them in the order of InstructionSet.
#pragma once

#include <array>

#if defined(__x86_64__) && !defined(HAMILTREE_ONE_INSTRUCTION_SET)
#define HAMILTREE_KERNEL_SETS(Kernels)            \
  extern const Kernels kBaseline, kAvx2, kAvx512; \
  inline constexpr std::array kKernelSets { &kBaseline, &kAvx2, &kAvx512 }
#else
#define HAMILTREE_KERNEL_SETS(Kernels) \
  extern const Kernels kBaseline;      \
  inline constexpr std::array kKernelSets { &kBaseline }
#endif
