// The convex hull of points in space.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/io/import/mesh/mesh.hpp"

namespace hamiltree {

// The hull as triangles over the given points, counter-clockwise seen from outside; no triangle
// where all points lie in a plane. Points within 1e-12 of their extent of a face count as on it.
TriangleMesh convex_hull(const std::vector<Eigen::Vector3d>& points);

}  // namespace hamiltree
