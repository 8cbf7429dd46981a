#include "hamiltree/base/instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "hamiltree/base/compiled_sets.hpp"
#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

InstructionSet choose() {
  const char* named = std::getenv("HAMILTREE_INSTRUCTIONS");
  if (named == nullptr)
    return *std::find_if(kInstructionSets.rbegin(), kInstructionSets.rend(), has);
  const auto set = std::ranges::find(kInstructionSets, std::string_view(named), to_name);
  if (set == kInstructionSets.end()) {
    throw UsageError("HAMILTREE_INSTRUCTIONS=" + std::string(named) +
                     ": must be baseline, avx2 or avx512");
  }
  if (!has(*set)) {
    throw UsageError("HAMILTREE_INSTRUCTIONS=" + std::string(named) +
                     ": this machine has no such instructions, or this program no kernels for "
                     "them (HAMILTREE_INSTRUCTION_SETS=all compiles all)");
  }
  return *set;
}

}  // namespace

bool has(InstructionSet set) {
#if HAMILTREE_KERNELS_AVX2
  if (set == InstructionSet::kAvx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if HAMILTREE_KERNELS_AVX512
  if (set == InstructionSet::kAvx512)
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return set == InstructionSet::kBaseline;
}

InstructionSet instruction_set() {
  static const InstructionSet set = choose();
  return set;
}

std::string_view to_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx2:
      return "avx2";
    case InstructionSet::kAvx512:
      return "avx512";
    default:
      return "baseline";
  }
}

}  // namespace hamiltree
