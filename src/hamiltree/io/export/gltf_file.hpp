// glTF files that name others, as one.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/io/import/import_log.hpp"

namespace hamiltree {

// The bytes of a file, .gltf or .glb, with the numbers of the files that it names put into it.
// Pictures are left where they are, for none are drawn. Throws std::runtime_error if one cannot be
// read, or must not be.
std::string read_whole_gltf(const std::filesystem::path& path, const ImportOptions& options);

}  // namespace hamiltree
