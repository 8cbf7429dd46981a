// The formats of meshes, by the extensions of their files.
#pragma once

#include <filesystem>
#include <optional>

namespace hamiltree {

enum class MeshFormat { kStl, kObj, kMsh, kGltf, kCollada };

// In capitals or not; nothing for another one.
std::optional<MeshFormat> mesh_format(const std::filesystem::path& file);

}  // namespace hamiltree
