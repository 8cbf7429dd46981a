#include "hamiltree/io/import/mesh/mesh.hpp"

#include <bit>
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

// MuJoCo's own: the numbers of vertices, normals, texture coordinates and triangles, then these.
TriangleMesh read_msh(std::string_view bytes) {
  constexpr std::size_t kHead = 16, kWord = 4;
  if (bytes.size() < kHead) throw std::runtime_error("ends within its head");
  std::array<std::size_t, 4> count{};
  for (std::size_t i = 0; i < count.size(); ++i) {
    const auto given = number_at<std::int32_t>(bytes, kWord * i);
    if (given < 0) throw std::runtime_error("has a negative number in its head");
    count[i] = static_cast<std::size_t>(given);
  }
  const auto [vertices, normals, coordinates, triangles] = count;
  const std::size_t skipped = 3 * normals + 2 * coordinates;
  if (bytes.size() != kHead + kWord * (3 * vertices + skipped + 3 * triangles)) {
    throw std::runtime_error("is not as long as its head says");
  }
  TriangleMesh mesh;
  Corners corners(mesh);
  std::vector<int> numbers;  // of the file's vertices
  for (std::size_t v = 0; v < vertices; ++v) {
    Eigen::Vector3d x;
    for (std::size_t i = 0; i < 3; ++i) {
      x(static_cast<int>(i)) =
          static_cast<double>(number_at<float>(bytes, kHead + kWord * (3 * v + i)));
    }
    numbers.push_back(corners(x));
  }
  const std::size_t first = kHead + kWord * (3 * vertices + skipped);
  for (std::size_t t = 0; t < triangles; ++t) {
    std::array<int, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto vertex = number_at<std::int32_t>(bytes, first + kWord * (3 * t + k));
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertices) {
        throw std::runtime_error("has a triangle with the vertex " + std::to_string(vertex) +
                                 ", which is not there");
      }
      triangle[k] = numbers[static_cast<std::size_t>(vertex)];
    }
    add_triangle(triangle[0], triangle[1], triangle[2], mesh);
  }
  return mesh;
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file) {
  const auto format = mesh_format(file);
  const bool is_known =
      format == MeshFormat::kStl || format == MeshFormat::kObj || format == MeshFormat::kMsh;
  if (!is_known) throw std::runtime_error("is none of STL, OBJ and MSH");
  const std::string text = read_text(file);
  if (format == MeshFormat::kObj) return read_obj(text);
  if (format == MeshFormat::kMsh) return read_msh(text);
  return is_binary_stl(text) ? read_binary_stl(text) : read_written_stl(text);
}

}  // namespace hamiltree
