#include "hamiltree/io/import/mesh/convex_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

constexpr double kFlat = 1e-12;  // of the extent of the points

// Quickhull: each face keeps the points outside of it, the farthest of which replaces all faces
// that it sees by a cone over their border.
class Hull {
 public:
  explicit Hull(const std::vector<Eigen::Vector3d>& points) : points_(points) {}

  std::vector<std::array<int, 3>> triangles() {
    if (!start()) return {};
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      while (!faces_[f].outside.empty() && !faces_[f].is_gone) add_farthest(f);
    }
    std::vector<std::array<int, 3>> result;
    for (const auto& face : faces_) {
      if (!face.is_gone) result.push_back(face.corners);
    }
    return result;
  }

 private:
  struct Face {
    std::array<int, 3> corners;
    Eigen::Vector3d normal;
    double offset;
    std::vector<int> outside;
    bool is_gone = false;
  };

  const Eigen::Vector3d& point(int i) const { return points_[at(i)]; }

  double height(const Face& face, int i) const { return face.normal.dot(point(i)) - face.offset; }

  template <class Measure>
  int farthest(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (measure(point(i)) > measure(point(best))) best = i;
    }
    return best;
  }

  // A tetrahedron of points far from each other.
  bool start() {
    if (points_.size() < 4) return false;
    const Eigen::Vector3d any = points_.front();
    const int a = farthest([&](const Eigen::Vector3d& x) { return (x - any).squaredNorm(); });
    const Eigen::Vector3d pa = point(a);
    const int b = farthest([&](const Eigen::Vector3d& x) { return (x - pa).squaredNorm(); });
    const double extent = (point(b) - pa).norm();
    flat_ = kFlat * extent;
    if (extent == 0.0) return false;
    const Eigen::Vector3d along = (point(b) - pa) / extent;
    const int c = farthest([&](const Eigen::Vector3d& x) { return along.cross(x - pa).norm(); });
    const Eigen::Vector3d across = along.cross(point(c) - pa);
    if (across.norm() <= flat_) return false;
    const Eigen::Vector3d normal = across.normalized();
    const int d = farthest([&](const Eigen::Vector3d& x) { return std::abs(normal.dot(x - pa)); });
    const double height_d = normal.dot(point(d) - pa);
    if (std::abs(height_d) <= flat_) return false;
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    const int p = height_d > 0.0 ? c : b, q = height_d > 0.0 ? b : c;  // a, p, q seen from outside
    for (const auto& corners : {std::array{a, p, q}, {a, d, p}, {p, d, q}, {q, d, a}}) {
      add_face(corners);
    }
    share(all, 0);
    return true;
  }

  void add_face(const std::array<int, 3>& corners) {
    const Eigen::Vector3d normal =
        (point(corners[1]) - point(corners[0])).cross(point(corners[2]) - point(corners[0]));
    const double size = normal.norm();
    const Eigen::Vector3d unit = size > 0.0 ? Eigen::Vector3d(normal / size) : normal;
    for (std::size_t k = 0; k < 3; ++k) {
      face_at_[{corners[k], corners[(k + 1) % 3]}] = faces_.size();
    }
    faces_.push_back({corners, unit, unit.dot(point(corners[0])), {}, false});
  }

  // Gives each point to one of the faces from `first` on that it is outside of.
  void share(const std::vector<int>& points, std::size_t first) {
    for (const int i : points) {
      for (std::size_t f = first; f < faces_.size(); ++f) {
        if (height(faces_[f], i) <= flat_) continue;
        faces_[f].outside.push_back(i);
        break;
      }
    }
  }

  void add_farthest(std::size_t f) {
    const int apex = *std::ranges::max_element(faces_[f].outside, {},
                                               [&](int i) { return height(faces_[f], i); });
    std::vector<std::pair<int, int>> border;
    std::vector<int> loose;
    std::vector<std::size_t> seen{f};
    faces_[f].is_gone = true;
    while (!seen.empty()) {
      const auto face = faces_[seen.back()];
      seen.pop_back();
      loose.insert(loose.end(), face.outside.begin(), face.outside.end());
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = face.corners[k], b = face.corners[(k + 1) % 3];
        const std::size_t beside = face_at_.at({b, a});
        if (faces_[beside].is_gone) continue;
        if (height(faces_[beside], apex) > flat_) {
          faces_[beside].is_gone = true;
          seen.push_back(beside);
        } else {
          border.emplace_back(a, b);
        }
      }
    }
    const std::size_t first = faces_.size();
    for (const auto& [a, b] : border) add_face({a, b, apex});
    std::erase(loose, apex);
    share(loose, first);
  }

  const std::vector<Eigen::Vector3d>& points_;
  std::vector<Face> faces_;
  std::map<std::pair<int, int>, std::size_t> face_at_;  // by edges in their direction
  double flat_ = 0.0;
};

}  // namespace

TriangleMesh convex_hull(const std::vector<Eigen::Vector3d>& points) {
  return {points, Hull(points).triangles()};
}

}  // namespace hamiltree
