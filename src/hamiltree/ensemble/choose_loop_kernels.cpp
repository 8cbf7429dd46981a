#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/ensemble/loop_kernel_sets.hpp"

namespace hamiltree::loops {

const Kernels& kernels() {
#if defined(__x86_64__)
  switch (instruction_set()) {
    case InstructionSet::kAvx512:
      return kAvx512;
    case InstructionSet::kAvx2:
      return kAvx2;
    default:
      break;
  }
#endif
  return kBaseline;
}

}  // namespace hamiltree::loops
