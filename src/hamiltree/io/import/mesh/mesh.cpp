#include "hamiltree/io/import/mesh/mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/mesh/mesh_format.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree {
namespace {

// Vertices by their coordinates: files of triangles repeat them.
class Corners {
 public:
  explicit Corners(TriangleMesh& mesh) : mesh_(mesh) {}

  int operator()(const Eigen::Vector3d& x) {
    if (!x.allFinite()) throw std::runtime_error("has a vertex that is not a number");
    const auto [known, is_new] = numbers_.emplace(std::tuple(x.x() + 0.0, x.y() + 0.0, x.z() + 0.0),
                                                  static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(x);
    return known->second;
  }

 private:
  TriangleMesh& mesh_;
  std::map<std::tuple<double, double, double>, int> numbers_;
};

void add_triangle(int a, int b, int c, TriangleMesh& mesh) {
  if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
}

constexpr std::size_t kStlHead = 84, kStlTriangle = 50;  // bytes

template <class Number>
Number number_at(std::string_view bytes, std::size_t place) {
  static_assert(std::endian::native == std::endian::little);
  Number number;
  std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}

bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= kStlHead &&
         bytes.size() == kStlHead + kStlTriangle * number_at<std::uint32_t>(bytes, 80);
}

TriangleMesh read_binary_stl(std::string_view bytes) {
  TriangleMesh mesh;
  Corners corners(mesh);
  for (std::size_t at_byte = kStlHead; at_byte < bytes.size(); at_byte += kStlTriangle) {
    std::array<int, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      Eigen::Vector3d x;
      for (std::size_t i = 0; i < 3; ++i) {
        x(static_cast<int>(i)) =
            static_cast<double>(number_at<float>(bytes, at_byte + 12 * (k + 1) + 4 * i));
      }
      triangle[k] = corners(x);
    }
    add_triangle(triangle[0], triangle[1], triangle[2], mesh);
  }
  return mesh;
}

double next_number(std::istringstream& words) {
  std::string word;
  words >> word;
  const auto number = parse_number(word);
  if (!number) throw std::runtime_error("has \"" + word + "\" where a number must be");
  return *number;
}

Eigen::Vector3d next_vector(std::istringstream& words) {
  Eigen::Vector3d x;
  for (double& value : x) value = next_number(words);
  return x;
}

TriangleMesh read_written_stl(const std::string& text) {
  TriangleMesh mesh;
  Corners corners(mesh);
  std::istringstream words(text);
  std::vector<int> triangle;
  for (std::string word; words >> word;) {
    if (word == "vertex") triangle.push_back(corners(next_vector(words)));
    if (word != "endfacet") continue;
    if (triangle.size() != 3) throw std::runtime_error("has a facet that is no triangle");
    add_triangle(triangle[0], triangle[1], triangle[2], mesh);
    triangle.clear();
  }
  return mesh;
}

// "7", "7/1" or "7/1/2"; from the end where it is negative.
int obj_index(const std::string& word, std::size_t count) {
  const auto number = parse_number(word.substr(0, word.find('/')));
  const double last = static_cast<double>(count);
  if (!number || *number != static_cast<double>(static_cast<int>(*number)) || *number == 0.0 ||
      *number > last || *number < -last) {
    throw std::runtime_error("has a face with the vertex \"" + word + "\", which is not there");
  }
  return static_cast<int>(*number > 0.0 ? *number - 1.0 : last + *number);
}

TriangleMesh read_obj(const std::string& text) {
  TriangleMesh mesh;
  Corners corners(mesh);
  std::vector<int> vertices;  // of the file
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "v") vertices.push_back(corners(next_vector(words)));
    if (kind != "f") continue;
    std::vector<int> face;
    for (std::string word; words >> word;) {
      face.push_back(vertices[at(obj_index(word, vertices.size()))]);
    }
    for (std::size_t k = 2; k < face.size(); ++k) {
      add_triangle(face[0], face[k - 1], face[k], mesh);
    }
  }
  return mesh;
}

// Every edge is passed as often in one direction as in the other.
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

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file) {
  const auto format = mesh_format(file);
  if (format != MeshFormat::kStl && format != MeshFormat::kObj) {
    throw std::runtime_error("is neither STL nor OBJ");
  }
  const std::string text = read_text(file);
  if (format == MeshFormat::kObj) return read_obj(text);
  return is_binary_stl(text) ? read_binary_stl(text) : read_written_stl(text);
}

// Over tetrahedra from the middle of the vertices to the triangles (a, b, c), of volume
// V = a . (b x c) / 6: the integral of x is V (a + b + c) / 4, and that of x x^T is
// V / 20 (a a^T + b b^T + c c^T + s s^T) with s = a + b + c.
std::optional<BodyDescription> solid_of_mesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty() || !is_closed(mesh)) return std::nullopt;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const auto& x : mesh.vertices) middle += x;
  middle /= static_cast<double>(mesh.vertices.size());
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.vertices[at(t[0])] - middle;
    const Eigen::Vector3d b = mesh.vertices[at(t[1])] - middle;
    const Eigen::Vector3d c = mesh.vertices[at(t[2])] - middle;
    const Eigen::Vector3d s = a + b + c;
    const double V = a.dot(b.cross(c)) / 6.0;
    volume += V;
    first += V / 4.0 * s;
    second +=
        V / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  if (volume == 0.0) return std::nullopt;
  const Eigen::Vector3d centre = first / volume;
  Eigen::Matrix3d about = second - volume * centre * centre.transpose();
  if (volume < 0.0) about = -about;
  BodyDescription body;
  body.mass = std::abs(volume);
  body.com = middle + centre;
  body.inertia = about.trace() * Eigen::Matrix3d::Identity() - about;
  return body;
}

}  // namespace hamiltree
