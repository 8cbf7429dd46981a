// Triangle meshes of files, as far as they say what a body weighs.
#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <vector>

namespace hamiltree {

struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;      // in the file's unit
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise, seen from outside
};

// A binary or written STL, an OBJ or MuJoCo's MSH, by its extension. Throws std::runtime_error,
// whose sentence goes on after the file's name, for another or a broken one.
TriangleMesh read_mesh(const std::filesystem::path& file);

}  // namespace hamiltree
