// Which instructions this machine has. Kernels that matter are compiled for each of them in one
// program, which takes the best at run time. Where a product and a sum are one instruction they are
// rounded once, and compilers choose which: sets agree to rounding, not to the last bit.
#pragma once

#include <string_view>

namespace hamiltree {

enum class InstructionSet { kBaseline, kAvx2, kAvx512 };

// The best that this machine has, or the one that the environment variable HAMILTREE_INSTRUCTIONS
// names: baseline, avx2 or avx512. Throws UsageError for another name, or more than there is.
InstructionSet instruction_set();

// "baseline", ...
std::string_view to_name(InstructionSet set);

}  // namespace hamiltree
