#include <cstddef>

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/screws/kernel_sets.hpp"

namespace hamiltree::screws {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }

}  // namespace hamiltree::screws
