#include "hamiltree/io/export/mesh_data.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

struct Box {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), size = Eigen::Vector3d::Zero();
};

Box box_around(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  Eigen::Vector3d low = mesh.vertices.front(), high = low;
  for (const auto& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return {low, high - low};
}

TriangleMesh on_grid(const TriangleMesh& mesh, const Box& box, double cell) {
  TriangleMesh coarse;
  std::map<std::array<int, 3>, int> cells;
  std::vector<int> cell_of;
  std::vector<double> members;
  for (const auto& x : mesh.vertices) {
    const Eigen::Vector3i place = ((x - box.low) / cell).array().floor().cast<int>();
    const auto [known, is_new] = cells.emplace(std::array{place.x(), place.y(), place.z()},
                                               static_cast<int>(coarse.vertices.size()));
    if (is_new) {
      coarse.vertices.emplace_back(Eigen::Vector3d::Zero());
      members.push_back(0.0);
    }
    cell_of.push_back(known->second);
    coarse.vertices[at(known->second)] += x;
    members[at(known->second)] += 1.0;
  }
  for (std::size_t i = 0; i < members.size(); ++i) coarse.vertices[i] /= members[i];
  for (const auto& t : mesh.triangles) {
    const int a = cell_of[at(t[0])], b = cell_of[at(t[1])], c = cell_of[at(t[2])];
    if (a != b && b != c && c != a) coarse.triangles.push_back({a, b, c});
  }
  return coarse;
}

template <class Number>
void put_number(Number number, std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  const auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  bytes.append(raw.data(), raw.size());
}

}  // namespace

TriangleMesh thinned(const TriangleMesh& mesh, std::size_t most_triangles) {
  if (mesh.triangles.size() <= most_triangles) return mesh;
  constexpr double kFinest = 1024.0, kCoarser = 1.4;  // cells along the longest side
  const Box box = box_around(mesh);
  const double size = box.size.maxCoeff();
  for (double cell = size > 0.0 ? size / kFinest : 1.0;; cell *= kCoarser) {
    auto coarse = on_grid(mesh, box, cell);
    if (coarse.triangles.size() <= most_triangles) return coarse;
  }
}

std::string packed(const TriangleMesh& mesh) {
  constexpr double kSteps = 65535.0;
  const Box box = box_around(mesh);
  std::string bytes;
  put_number(static_cast<std::uint32_t>(mesh.vertices.size()), bytes);
  put_number(static_cast<std::uint32_t>(mesh.triangles.size()), bytes);
  for (const auto& corner : {box.low, box.size}) {
    for (const double x : corner) put_number(static_cast<float>(x), bytes);
  }
  for (const auto& x : mesh.vertices) {
    for (int i = 0; i < 3; ++i) {
      const double share = box.size(i) > 0.0 ? (x(i) - box.low(i)) / box.size(i) : 0.0;
      put_number(static_cast<std::uint16_t>(std::lround(kSteps * share)), bytes);
    }
  }
  if (mesh.vertices.size() % 2 == 1) put_number(std::uint16_t{0}, bytes);
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) put_number(static_cast<std::uint32_t>(corner), bytes);
  }
  return bytes;
}

std::string to_base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      three = (three << 8U) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[(three >> (18U - 6U * k)) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace hamiltree
