// The native model format: versioned TOML, described field by field in docs/formats/model.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The format version this program reads.
inline constexpr int kNativeFormat = 1;

// The mechanism in `file`, with `overrides` such as "body.crank.mass=2" applied first. Throws
// ModelError with file:line and element for what the file gets wrong, UsageError for an override.
// Facts that need the whole mechanism (bodies that are not there, masses, loops) are checked by
// compile().
Mechanism read_native(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides = {});

// The same from text of any size; `file_name` is what messages call it, its stem the default name.
Mechanism parse_native(std::string_view text, const std::string& file_name,
                       const std::vector<std::string>& overrides = {});

}  // namespace hamiltree
