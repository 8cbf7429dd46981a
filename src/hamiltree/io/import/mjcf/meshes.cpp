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
  const auto mesh = meshes_.find(name);
  try {
    if (mesh == meshes_.end()) throw std::runtime_error("is not there");
    if (!solids_.contains(name)) solids_.emplace(name, read(mesh->second));
    return solids_.at(name);
  } catch (const std::runtime_error& error) {
    if (dynamic_cast<const ModelError*>(&error) != nullptr) throw;
    log.warn(geom.where(), "what mesh \"" + name + "\" weighs is left out: it " + error.what());
    return std::nullopt;
  }
}

BodyDescription Meshes::read(const XmlElement& mesh) const {
  if (!mesh.has("file")) throw std::runtime_error("is not in a file");
  const std::filesystem::path said = mesh.text("file");
  const auto file =
      named_file(file_, (folder_ / (strip_path_ ? said.filename() : said)).string(), options_);
  TriangleMesh triangles = read_mesh(file);
  const Eigen::Vector3d scale = mesh.vector_or("scale", Eigen::Vector3d::Ones());
  const Eigen::Vector3d origin = mesh.vector_or("refpos", Eigen::Vector3d::Zero());
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (mesh.has("refquat")) R = from_quat_wxyz(mesh.numbers("refquat", 4)).transpose();
  for (auto& x : triangles.vertices) x = scale.cwiseProduct(R * (x - origin));
  const auto solid = solid_of_mesh(triangles);
  if (!solid) throw std::runtime_error("is not closed");
  return *solid;
}

}  // namespace hamiltree::mjcf
