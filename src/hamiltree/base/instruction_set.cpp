#include "hamiltree/base/instruction_set.hpp"

#include <cstdlib>
#include <string>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

InstructionSet best() {
#if defined(__x86_64__) && !defined(HAMILTREE_ONE_INSTRUCTION_SET)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return InstructionSet::kBaseline;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  return wide ? InstructionSet::kAvx512 : InstructionSet::kAvx2;
#else
  return InstructionSet::kBaseline;
#endif
}

InstructionSet choose() {
  const auto has = best();
  const char* named = std::getenv("HAMILTREE_INSTRUCTIONS");
  if (named == nullptr) return has;
  for (const auto set :
       {InstructionSet::kBaseline, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    if (to_name(set) != named) continue;
    if (set <= has) return set;
    throw UsageError("HAMILTREE_INSTRUCTIONS=" + std::string(named) +
                     ": this machine has no more than " + std::string(to_name(has)));
  }
  throw UsageError("HAMILTREE_INSTRUCTIONS=" + std::string(named) +
                   ": must be baseline, avx2 or avx512");
}

}  // namespace

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
