// Meshes as the viewer takes them: triangles in a compact binary form, glTF and Collada as they
// are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "hamiltree/io/import/mesh/mesh.hpp"

namespace hamiltree {

// The same surface with no more than this many triangles: vertices in one cell of a grid become
// one, in their middle, on the finest grid on which that is enough.
TriangleMesh thinned(const TriangleMesh& mesh, std::size_t most_triangles);

// Little-endian: counts of vertices and triangles (uint32), lowest corner and size of the box
// around all (6 float32), vertices (3 uint16 each, of 65535 steps over the box; then 2 bytes if
// their count is odd) and triangles (3 uint32 each).
std::string packed(const TriangleMesh& mesh);

std::string to_base64(const std::string& bytes);

}  // namespace hamiltree
