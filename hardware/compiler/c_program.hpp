// A program as a C header, for the driver on bare metal.
#pragma once

#include <string>
#include <vector>

#include "hardware/compiler/program.hpp"

namespace hamiltree::hardware {

// Defines `NAME`, a hamiltree_program, and `NAME_start`, the state to start from, for names made of
// the mechanism's; the comment above them says what each word of the state is.
std::string to_c_header(const std::string& mechanism, const Program& program,
                        const std::vector<Word>& start);

}  // namespace hamiltree::hardware
