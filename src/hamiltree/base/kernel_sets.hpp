// Kernels that are compiled once for each instruction set (cmake/instruction_sets.cmake): the
// constants of all sets, and a table of them in the order of InstructionSet, with null for those
// that this program does without.
#pragma once

#include <array>

#include "hamiltree/base/compiled_sets.hpp"
#include "hamiltree/base/instruction_set.hpp"

#if HAMILTREE_KERNELS_AVX2
#define HAMILTREE_AVX2_KERNELS &kAvx2
#else
#define HAMILTREE_AVX2_KERNELS nullptr
#endif
#if HAMILTREE_KERNELS_AVX512
#define HAMILTREE_AVX512_KERNELS &kAvx512
#else
#define HAMILTREE_AVX512_KERNELS nullptr
#endif

#define HAMILTREE_KERNEL_SETS(Kernels)                           \
  extern const Kernels kBaseline, kAvx2, kAvx512;                \
  inline constexpr std::array<const Kernels*, 3> kKernelSets {   \
    &kBaseline, HAMILTREE_AVX2_KERNELS, HAMILTREE_AVX512_KERNELS \
  }
