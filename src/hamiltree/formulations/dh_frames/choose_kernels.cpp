#include <cstddef>

#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/dh_frames/kernel_sets.hpp"

namespace hamiltree::dh_frames {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }

}  // namespace hamiltree::dh_frames
