#include "hamiltree/io/export/report_looks.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/io/export/gltf_file.hpp"
#include "hamiltree/io/export/json_text.hpp"
#include "hamiltree/io/export/mesh_data.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mesh/mesh_format.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree {
namespace {

const char* to_word(MeshFormat format) {
  switch (format) {
    case MeshFormat::kGltf:
      return "gltf";
    case MeshFormat::kCollada:
      return "collada";
    case MeshFormat::kStl:
    case MeshFormat::kObj:
    case MeshFormat::kMsh:
      break;
  }
  return "triangles";
}

// A file that visuals name.
struct MeshFile {
  std::string file;
  std::size_t copies = 0;  // how often it is drawn
  MeshFormat format = MeshFormat::kStl;
  TriangleMesh triangles = {};  // of STL and OBJ
  std::string bytes = {};       // of the others
  std::string missing = {};     // why there is none of them
};

void read_file(MeshFile& mesh, const ModelLooks& looks) {
  try {
    ImportOptions options;
    options.files_elsewhere = looks.files_elsewhere;
    const auto path = named_file(looks.file, mesh.file, options);
    const auto format = mesh_format(path);
    if (!format) throw std::runtime_error("is none of STL, OBJ, MSH, glTF and Collada");
    mesh.format = *format;
    if (to_word(*format) == std::string("triangles")) {
      mesh.triangles = read_mesh(path);
    } else {
      mesh.bytes = *format == MeshFormat::kGltf ? read_whole_gltf(path, options) : read_text(path);
    }
  } catch (const std::runtime_error& error) {
    mesh.missing = error.what();
  }
}

class LooksWriter {
 public:
  LooksWriter(const Model& model, const ModelLooks& looks, std::string& out)
      : model_(model), looks_(looks), out_(out) {
    for (const auto& visual : looks.visuals) {
      const auto* shape = std::get_if<MeshShape>(&visual.shape);
      if (shape == nullptr) continue;
      const auto [known, is_new] = number_.emplace(shape->file, meshes_.size());
      if (is_new) meshes_.push_back({.file = shape->file});
      ++meshes_[known->second].copies;
    }
    for (auto& mesh : meshes_) read_file(mesh, looks_);
  }

  void write() {
    append_key("visuals", out_);
    append_list(looks_.visuals.size(), out_, [&](std::size_t i) { append(looks_.visuals[i]); });
    thin();
    append_key("meshes", out_);
    append_list(meshes_.size(), out_, [&](std::size_t i) { append(meshes_[i]); });
  }

 private:
  template <class Numbers>
  void append_numbers(const char* name, const Numbers& numbers) {
    out_ += std::string(",\"") + name + "\":";
    append_list(static_cast<std::size_t>(numbers.size()), out_,
                [&](std::size_t i) { append_number(numbers[static_cast<Eigen::Index>(i)], out_); });
  }

  void append_shape(const BoxShape& box) {
    out_ += "\"box\"";
    append_numbers("size", box.size);
  }
  void append_shape(const CylinderShape& cylinder) {
    out_ += "\"cylinder\"";
    append_numbers("size", Eigen::Vector2d(cylinder.radius, cylinder.length));
  }
  void append_shape(const CapsuleShape& capsule) {
    out_ += "\"capsule\"";
    append_numbers("size", Eigen::Vector2d(capsule.radius, capsule.length));
  }
  void append_shape(const SphereShape& sphere) {
    out_ += "\"ellipsoid\"";
    append_numbers("size", Eigen::Vector3d::Constant(sphere.radius).eval());
  }
  void append_shape(const EllipsoidShape& ellipsoid) {
    out_ += "\"ellipsoid\"";
    append_numbers("size", ellipsoid.radii);
  }
  void append_shape(const MeshShape& mesh) {
    out_ += "\"mesh\",\"mesh\":" + std::to_string(number_.at(mesh.file));
    append_numbers("size", mesh.scale);
  }

  void append(const Visual& visual) {
    out_ += "{\"body\":" + std::to_string(*model_.find_body(visual.body)) + ",\"shape\":";
    std::visit([&](const auto& shape) { append_shape(shape); }, visual.shape);
    append_numbers("position", visual.at.position);
    append_numbers("quat_wxyz", to_quat_wxyz(visual.at.rotation));
    if (visual.rgba) append_numbers("rgba", *visual.rgba);
    out_ += '}';
  }

  // Each mesh gives up the same share of its triangles.
  void thin() {
    std::size_t all = 0;
    for (const auto& mesh : meshes_) all += mesh.copies * mesh.triangles.triangles.size();
    if (all <= kMostTriangles) return;
    const double share = static_cast<double>(kMostTriangles) / static_cast<double>(all);
    for (auto& mesh : meshes_) {
      const auto count = static_cast<double>(mesh.triangles.triangles.size());
      mesh.triangles = thinned(mesh.triangles, static_cast<std::size_t>(share * count));
    }
  }

  void append(const MeshFile& mesh) {
    out_ += "{\"file\":";
    append_string(mesh.file, out_);
    out_ += std::string(",\"format\":\"") + to_word(mesh.format) + '"';
    if (!mesh.missing.empty()) {
      out_ += ",\"missing\":";
      append_string(mesh.missing, out_);
    } else if (const std::string data = mesh.bytes.empty() ? packed(mesh.triangles) : mesh.bytes;
               embedded_ + data.size() <= kMostEmbedded) {
      embedded_ += data.size();
      out_ += ",\"data\":\"" + to_base64(data) + '"';
    }
    out_ += '}';
  }

  const Model& model_;
  const ModelLooks& looks_;
  std::string& out_;
  std::vector<MeshFile> meshes_;
  std::map<std::string, std::size_t> number_;  // by file
  std::size_t embedded_ = 0;                   // bytes
};

}  // namespace

void append_looks(const Model& model, const ModelLooks& looks, std::string& out) {
  if (!looks.visuals.empty()) LooksWriter(model, looks, out).write();
}

std::optional<std::string> served_mesh(const std::string& data, std::size_t i,
                                       bool files_elsewhere) {
  const auto report = nlohmann::json::parse(data);
  const auto& meshes = report.value("meshes", nlohmann::json::array());
  if (i >= meshes.size()) return std::nullopt;
  MeshFile mesh{.file = meshes[i].at("file").get<std::string>()};
  read_file(mesh,
            {{}, report.at("summary").at("model").at("file").get<std::string>(), files_elsewhere});
  if (!mesh.missing.empty()) return std::nullopt;
  return mesh.bytes.empty() ? packed(thinned(mesh.triangles, kMostTriangles)) : mesh.bytes;
}

}  // namespace hamiltree
