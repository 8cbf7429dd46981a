// Which instructions this machine has. Kernels that matter are compiled for several sets in one
// program, which takes the best at run time. Where a product and a sum are one instruction they are
// rounded once, and compilers choose which: sets agree to rounding, not to the last bit.
#pragma once

#include <array>
#include <string_view>

namespace hamiltree {

enum class InstructionSet { kBaseline, kAvx2, kAvx512 };

inline constexpr std::array kInstructionSets{InstructionSet::kBaseline, InstructionSet::kAvx2,
                                             InstructionSet::kAvx512};

// Whether this program has kernels for a set and this machine its instructions.
bool has(InstructionSet set);

// The best that has(), or the one that the environment variable HAMILTREE_INSTRUCTIONS names:
// baseline, avx2 or avx512. Throws UsageError for another name, or a set that is not there.
InstructionSet instruction_set();

// "baseline", ...
std::string_view to_name(InstructionSet set);

}  // namespace hamiltree
