#include "hamiltree/integrators/sums.hpp"

#include <cstddef>

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/integrators/sum_kernel_sets.hpp"

namespace hamiltree::sums {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }

}  // namespace hamiltree::sums
