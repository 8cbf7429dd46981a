// Thinned meshes: no more triangles than are allowed and not many fewer, no vertex further from its
// surface than the cell of the finest grid that is coarse enough, the same bytes each time.
#include "hamiltree/io/export/mesh_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// A ball of radius 1 around (3, -2, 0.5), of rings of quadrilaterals in two triangles each.
constexpr std::array kCentre{3.0, -2.0, 0.5};
TriangleMesh ball(int rings) {
  const Eigen::Vector3d centre(kCentre.data());
  TriangleMesh mesh;
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k < around; ++k) {
      const double theta = std::numbers::pi * i / rings, phi = 2.0 * std::numbers::pi * k / around;
      mesh.vertices.emplace_back(centre + Eigen::Vector3d(std::sin(theta) * std::cos(phi),
                                                          std::sin(theta) * std::sin(phi),
                                                          std::cos(theta)));
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < around; ++k) {
      const int a = i * around + k, b = i * around + (k + 1) % around;
      if (i > 0) mesh.triangles.push_back({a, a + around, b});
      if (i + 1 < rings) mesh.triangles.push_back({b, a + around, b + around});
    }
  }
  return mesh;
}

// Triangles of the mesh with corners in three cells of this size.
std::size_t triangles_on(const TriangleMesh& mesh, double cell) {
  Eigen::Vector3d low = mesh.vertices.front();
  for (const auto& x : mesh.vertices) low = low.cwiseMin(x);
  std::size_t count = 0;
  for (const auto& triangle : mesh.triangles) {
    std::set<std::array<double, 3>> cells;
    for (const int corner : triangle) {
      const Eigen::Vector3d place = (mesh.vertices[at(corner)] - low) / cell;
      cells.insert({std::floor(place.x()), std::floor(place.y()), std::floor(place.z())});
    }
    count += cells.size() == 3 ? 1 : 0;
  }
  return count;
}

TEST(ThinnedMeshes, KeepTheirSurfaceToACell) {
  const auto fine = ball(100);  // 39,600 triangles
  const Eigen::Vector3d centre(kCentre.data());
  for (const std::size_t most : {20000U, 5000U, 500U, 60U}) {
    const auto coarse = thinned(fine, most);
    double cell = 2.0 / 1024.0;
    while (triangles_on(fine, cell) > most) cell *= 1.4;
    EXPECT_EQ(coarse.triangles.size(), triangles_on(fine, cell));
    EXPECT_LE(coarse.triangles.size(), most);
    EXPECT_GT(coarse.triangles.size(), most / 4);  // a grid 1.4 times as coarse has half as many
    const double diagonal = std::sqrt(3.0) * cell;
    double deviation = 0.0, furthest = 0.0;
    for (const auto& x : coarse.vertices)
      deviation = std::max(deviation, std::abs((x - centre).norm() - 1.0));
    for (std::size_t i = 0; i < fine.vertices.size(); i += 7) {
      double nearest = 10.0;
      for (const auto& x : coarse.vertices)
        nearest = std::min(nearest, (x - fine.vertices[i]).norm());
      furthest = std::max(furthest, nearest);
    }
    std::printf(
        "  %zu of %zu: %zu triangles, off the ball by %.3g, no vertex within %.3g of %.3g\n", most,
        fine.triangles.size(), coarse.triangles.size(), deviation, furthest, diagonal);
    EXPECT_LE(deviation, diagonal);
    EXPECT_LE(furthest, diagonal);
    for (const auto& triangle : coarse.triangles) {
      for (const int corner : triangle) ASSERT_LT(at(corner), coarse.vertices.size());
      EXPECT_TRUE(triangle[0] != triangle[1] && triangle[1] != triangle[2] &&
                  triangle[2] != triangle[0]);
    }
  }
}

TEST(ThinnedMeshes, AreTheSameEachTime) {
  const auto fine = ball(60);
  EXPECT_EQ(packed(thinned(fine, 700)), packed(thinned(fine, 700)));
  EXPECT_EQ(packed(thinned(fine, 700)), packed(thinned(ball(60), 700)));
  EXPECT_NE(packed(thinned(fine, 700)), packed(thinned(fine, 1500)));
}

TEST(ThinnedMeshes, AreThemselvesWhereTheyAreSmall) {
  const auto small = ball(5);
  EXPECT_EQ(packed(thinned(small, small.triangles.size())), packed(small));
  const TriangleMesh point{{{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}},
                           {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};
  EXPECT_TRUE(thinned(point, 2).triangles.empty());
}

}  // namespace
}  // namespace hamiltree
