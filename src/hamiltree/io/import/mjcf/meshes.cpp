#include "hamiltree/io/import/mjcf/meshes.hpp"

#include <Eigen/LU>
#include <stdexcept>
#include <utility>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mesh/mesh.hpp"
#include "hamiltree/io/import/named_file.hpp"

namespace hamiltree::mjcf {

Meshes::Meshes(const XmlElement& root, const Defaults& defaults, std::filesystem::path file,
               const ImportOptions& options)
    : file_(std::move(file)), options_(options) {
  for (const auto& compiler : root.children("compiler")) {
    folder_ = compiler.text_or("meshdir", compiler.text_or("assetdir", folder_.string()));
    strip_path_ = compiler.boolean_or("strippath", strip_path_);
  }
  for (const auto& assets : root.children("asset")) {
    for (const auto& mesh : assets.children("mesh")) {
      defaults.complete(mesh, "");
      const std::filesystem::path of_file = mesh.text_or("file", "");
      meshes_.emplace(mesh.text_or("name", of_file.stem().string()), mesh);
    }
  }
}

std::optional<BodyDescription> Meshes::solid(const XmlElement& geom, ImportLog& log) {
  const std::string name = geom.text_or("mesh", "");
  try {
    const XmlElement& mesh = find(geom);
    if (!solids_.contains(name)) {
      solids_.emplace(name, read(mesh));
      if (mesh.text_or("inertia", "") == "convex") {
        log.warn(mesh.where(),
                 "mesh \"" + name + "\" weighs what it encloses, not its convex hull");
      }
    }
    return solids_.at(name);
  } catch (const std::runtime_error& error) {
    if (dynamic_cast<const ModelError*>(&error) != nullptr) throw;
    log.warn(geom.where(), "what mesh \"" + name + "\" weighs is left out: it " + error.what());
    return std::nullopt;
  }
}

const XmlElement& Meshes::find(const XmlElement& geom) const {
  const auto mesh = meshes_.find(geom.text_or("mesh", ""));
  if (mesh == meshes_.end()) throw std::runtime_error("is not there");
  return mesh->second;
}

std::string Meshes::file_of(const XmlElement& mesh) const {
  if (!mesh.has("file")) throw std::runtime_error("is not in a file");
  const std::filesystem::path said = mesh.text("file");
  return (folder_ / (strip_path_ ? said.filename() : said)).string();
}

namespace {

// How MuJoCo moves the vertices of a mesh: scale * (R (x - origin)).
struct Moved {
  Eigen::Vector3d scale, origin;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();

  explicit Moved(const XmlElement& mesh)
      : scale(mesh.vector_or("scale", Eigen::Vector3d::Ones())),
        origin(mesh.vector_or("refpos", Eigen::Vector3d::Zero())) {
    if (mesh.has("refquat")) R = from_quat_wxyz(mesh.numbers("refquat", 4)).transpose();
  }
  Eigen::Vector3d operator()(const Eigen::Vector3d& x) const {
    return scale.cwiseProduct(R * (x - origin));
  }
};

}  // namespace

// With a scale that is the same along all axes, or without a turn, the two change places.
Meshes::Seen Meshes::seen(const XmlElement& geom) const {
  const XmlElement& mesh = find(geom);
  const Moved moved(mesh);
  const bool even = (moved.scale.array() == moved.scale(0)).all();
  if (!even && !moved.R.isIdentity(0.0)) throw std::runtime_error("is turned and then stretched");
  return {file_of(mesh), moved.scale, {moved(Eigen::Vector3d::Zero()), moved.R}};
}

BodyDescription Meshes::read(const XmlElement& mesh) const {
  TriangleMesh triangles = read_mesh(named_file(file_, file_of(mesh), options_));
  if (mesh.text_or("inertia", "") == "shell") throw std::runtime_error("is a shell");
  const Moved moved(mesh);
  for (auto& x : triangles.vertices) x = moved(x);
  const auto solid = solid_of_mesh(triangles);
  if (!solid) throw std::runtime_error("is not closed");
  return *solid;
}

}  // namespace hamiltree::mjcf
