#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/screws/kernel_sets.hpp"

namespace hamiltree::screws {

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

}  // namespace hamiltree::screws
