// Triangle meshes of files, as far as they say what a body weighs.
#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;      // in the file's unit
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise, seen from outside
};

// A binary or written STL, or an OBJ, by its extension. Throws std::runtime_error, whose sentence
// goes on after the file's name, for another or a broken one.
TriangleMesh read_mesh(const std::filesystem::path& file);

// Mass, centre and inertia of what a closed mesh encloses at 1 kg for each cubic unit, by the exact
// integrals over its triangles; nothing where it is not closed, or encloses nothing. A mesh inside
// out is turned.
std::optional<BodyDescription> solid_of_mesh(const TriangleMesh& mesh);

}  // namespace hamiltree
