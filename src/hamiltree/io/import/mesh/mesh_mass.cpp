#include "hamiltree/io/import/mesh/mesh_mass.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/io/import/mesh/convex_hull.hpp"

namespace hamiltree {
namespace {

struct Corner {
  Eigen::Vector3d a, b, c;
};

// The corners of a triangle, seen from a point.
Corner seen_from(const Eigen::Vector3d& point, const TriangleMesh& mesh, std::size_t t) {
  const auto& triangle = mesh.triangles[t];
  return {mesh.vertices[at(triangle[0])] - point, mesh.vertices[at(triangle[1])] - point,
          mesh.vertices[at(triangle[2])] - point};
}

double area(const Corner& x) { return 0.5 * (x.b - x.a).cross(x.c - x.a).norm(); }

// The volume of the pyramid over a triangle, or the triangle's area.
double weight(const Corner& x, MeshInertia how) {
  if (how == MeshInertia::kShell) return area(x);
  const double volume = x.a.dot(x.b.cross(x.c)) / 6.0;
  return how == MeshInertia::kLegacy ? std::abs(volume) : volume;
}

Eigen::Vector3d middle_of_area(const TriangleMesh& mesh) {
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  double whole = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corner x = seen_from(Eigen::Vector3d::Zero(), mesh, t);
    first += area(x) / 3.0 * (x.a + x.b + x.c);
    whole += area(x);
  }
  return whole > 0.0 ? Eigen::Vector3d(first / whole) : first;
}

}  // namespace

bool is_closed(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  }
  return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 0; });
}

// Pyramids over the triangles (a, b, c), first from the middle of the surface, for their centre,
// then from there: the integral of x is V (a + b + c) / 4, and that of x x^T is
// V / 20 (a a^T + b b^T + c c^T + s s^T) with s = a + b + c. Of a shell, A s / 3 and A / 12 (...).
std::optional<BodyDescription> mass_of_mesh(const TriangleMesh& given, MeshInertia how) {
  const bool needs_hull = how == MeshInertia::kConvex || given.triangles.empty();
  const TriangleMesh mesh = needs_hull ? convex_hull(given.vertices) : given;
  const bool is_shell = how == MeshInertia::kShell;
  Eigen::Vector3d centre = middle_of_area(mesh);
  const Eigen::Vector3d middle = centre;
  double whole = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size() && !is_shell; ++t) {
    const Corner x = seen_from(middle, mesh, t);
    whole += weight(x, how);
    first += weight(x, how) / 4.0 * (x.a + x.b + x.c);
  }
  if (whole != 0.0) centre += first / whole;
  whole = 0.0;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto x = seen_from(centre, mesh, t);
    const Eigen::Vector3d s = x.a + x.b + x.c;
    const double part = weight(x, how);
    whole += part;
    second +=
        part / (is_shell ? 12.0 : 20.0) *
        (x.a * x.a.transpose() + x.b * x.b.transpose() + x.c * x.c.transpose() + s * s.transpose());
  }
  if (whole == 0.0) return std::nullopt;
  if (whole < 0.0) second = -second;
  BodyDescription body;
  body.mass = std::abs(whole);
  body.com = centre;
  body.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  return body;
}

}  // namespace hamiltree
