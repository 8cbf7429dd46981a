#include "hamiltree/io/import/mesh/mesh_format.hpp"

#include <cctype>
#include <string>

namespace hamiltree {

std::optional<MeshFormat> mesh_format(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".stl") return MeshFormat::kStl;
  if (extension == ".obj") return MeshFormat::kObj;
  if (extension == ".msh") return MeshFormat::kMsh;
  if (extension == ".gltf" || extension == ".glb") return MeshFormat::kGltf;
  if (extension == ".dae") return MeshFormat::kCollada;
  return std::nullopt;
}

}  // namespace hamiltree
