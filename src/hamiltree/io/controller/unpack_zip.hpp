// Unpacks a zip archive, as FMUs are.
#pragma once

#include <filesystem>

namespace hamiltree {

// Its files below the folder. Throws std::runtime_error, saying why, for what is no archive, is
// damaged, lies outside the folder or has more than a gigabyte.
void unpack_zip(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace hamiltree
