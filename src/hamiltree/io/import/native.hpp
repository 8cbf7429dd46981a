// The native model format: versioned TOML, described field by field in docs/formats/model.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The format version this program reads.
inline constexpr int kNativeFormat = 1;

// The mechanism in a text of any size, with `overrides` such as "body.crank.mass=2" applied first;
// `file_name` is what messages call it, its stem the default name. Throws ModelError with file:line
// and element for what the text gets wrong, UsageError for an override. Facts that need the whole
// mechanism (bodies that are not there, masses, loops) are checked by compile().
Mechanism parse_native(std::string_view text, const std::string& file_name,
                       const std::vector<std::string>& overrides = {});

}  // namespace hamiltree
