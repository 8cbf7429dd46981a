// How deep the values of a TOML text lie in each other, known before it is parsed: parsing them and
// freeing them takes stack for each level.
#pragma once

#include <string>
#include <string_view>

namespace hamiltree {

// Throws ModelError with the line where lists and inline tables nest too deep, or a key has too
// many parts. What is no TOML passes.
void check_toml_nesting(std::string_view text, const std::string& file);

}  // namespace hamiltree
