// Files as text.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/base/limits.hpp"

namespace hamiltree {

// The text of a file; throws ModelError if it cannot be read or is larger than the limit.
std::string read_text(const std::filesystem::path& file, const Limit& size = kFileSize);

}  // namespace hamiltree
