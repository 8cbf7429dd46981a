// Mass properties of triangle meshes, in the ways that MJCF knows.
#pragma once

#include <optional>

#include "hamiltree/io/import/mesh/mesh.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// kExact: the solid that a closed mesh encloses; one inside out is turned. kConvex: the solid of
// its convex hull. kLegacy: pyramids over all triangles from one point, each counted as positive,
// so parts that cannot be seen from there count twice. kShell: the surface.
enum class MeshInertia { kExact, kConvex, kLegacy, kShell };

// Every edge is passed as often in one direction as in the other.
bool is_closed(const TriangleMesh& mesh);

// Mass, centre and inertia at 1 kg for each cubic unit, or square unit of a shell; nothing where
// this is 0. Vertices without triangles are those of their hull.
std::optional<BodyDescription> mass_of_mesh(const TriangleMesh& mesh, MeshInertia how);

}  // namespace hamiltree
