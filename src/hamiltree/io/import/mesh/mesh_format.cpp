#include "hamiltree/io/import/mesh/mesh_format.hpp"

#include <string>

#include "hamiltree/io/import/small_letters.hpp"

namespace hamiltree {

std::optional<MeshFormat> mesh_format(const std::filesystem::path& file) {
  const std::string extension = in_small_letters(file.extension().string());
  if (extension == ".stl") return MeshFormat::kStl;
  if (extension == ".obj") return MeshFormat::kObj;
  if (extension == ".msh") return MeshFormat::kMsh;
  if (extension == ".gltf" || extension == ".glb") return MeshFormat::kGltf;
  if (extension == ".dae") return MeshFormat::kCollada;
  return std::nullopt;
}

}  // namespace hamiltree
