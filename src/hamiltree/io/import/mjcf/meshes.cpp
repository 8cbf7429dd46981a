#include "hamiltree/io/import/mjcf/meshes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mesh/mesh_mass.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::mjcf {

Meshes::Meshes(const XmlElement& root, const Defaults& defaults, std::filesystem::path file,
               const ImportOptions& options)
    : file_(std::move(file)), options_(options), compiler_(read_compiler(root)) {
  for (const auto& assets : root.children("asset")) {
    for (const auto& mesh : assets.children("mesh")) {
      defaults.complete(mesh, "");
      const std::filesystem::path of_file = with_slashes(mesh.text_or("file", ""));
      meshes_.emplace(mesh.text_or("name", of_file.stem().string()), mesh);
    }
  }
}

const XmlElement& Meshes::find(const XmlElement& geom) const {
  const auto mesh = meshes_.find(geom.text_or("mesh", ""));
  if (mesh == meshes_.end()) throw std::runtime_error("is not there");
  return mesh->second;
}

std::string Meshes::file_of(const XmlElement& mesh) const {
  if (!mesh.has("file")) throw std::runtime_error("is not in a file");
  return compiler_.mesh_file(mesh.text("file")).string();
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

namespace {

// Coordinates are floats in MuJoCo.
double rounded(double x) { return static_cast<double>(static_cast<float>(x)); }

TriangleMesh mesh_of_numbers(const XmlElement& mesh) {
  const Eigen::VectorXd x = mesh.numbers("vertex");
  if (x.size() % 3 != 0) mesh.fail("vertex needs three numbers for each");
  TriangleMesh triangles;
  for (Eigen::Index i = 0; i < x.size(); i += 3) triangles.vertices.emplace_back(x.segment<3>(i));
  if (!mesh.has("face")) return triangles;
  const Eigen::VectorXd face = mesh.numbers("face");
  if (face.size() % 3 != 0) mesh.fail("face needs three numbers for each");
  for (const double v : face) {
    if (!(v >= 0.0 && 3.0 * v < static_cast<double>(x.size())) || v != std::floor(v)) {
      mesh.fail("has a face with the vertex " + to_text(v) + ", which is not there");
    }
  }
  for (Eigen::Index i = 0; i < face.size(); i += 3) {
    triangles.triangles.push_back(
        {static_cast<int>(face(i)), static_cast<int>(face(i + 1)), static_cast<int>(face(i + 2))});
  }
  return triangles;
}

MeshInertia inertia_of(const XmlElement& mesh) {
  const std::string how = mesh.text_or("inertia", "legacy");
  if (how == "legacy") return MeshInertia::kLegacy;
  if (how == "exact") return MeshInertia::kExact;
  if (how == "convex") return MeshInertia::kConvex;
  if (how == "shell") return MeshInertia::kShell;
  mesh.fail("inertia must be legacy, exact, convex or shell, not \"" + how + "\"");
}

}  // namespace

TriangleMesh Meshes::read(const XmlElement& mesh) const {
  if (mesh.text_or("builtin", "none") != "none") {
    throw std::runtime_error("is made by a rule (builtin)");
  }
  TriangleMesh triangles = mesh.has("file") || !mesh.has("vertex")
                               ? read_mesh(named_file(file_, file_of(mesh), options_))
                               : mesh_of_numbers(mesh);
  const Moved moved(mesh);
  for (auto& x : triangles.vertices) x = moved(x.unaryExpr(&rounded));
  if (moved.scale.prod() < 0.0) {
    for (auto& t : triangles.triangles) std::swap(t[1], t[2]);
  }
  return triangles;
}

Meshes::Loaded Meshes::load(const XmlElement& mesh, const std::string& name, ImportLog& log) {
  Loaded loaded{read(mesh), {}};
  const auto& triangles = loaded.triangles;
  const auto how = inertia_of(mesh);
  const auto weight = mass_of_mesh(triangles, how);
  if (!weight) throw std::runtime_error("encloses nothing");
  if (how == MeshInertia::kExact && !triangles.triangles.empty() && !is_closed(triangles)) {
    log.warn(mesh.where(), "mesh \"" + name + "\" is not closed, so what it weighs is uncertain");
  }
  if (how == MeshInertia::kLegacy && is_closed(triangles)) {
    const auto enclosed = mass_of_mesh(triangles, MeshInertia::kExact);
    const double times = enclosed ? weight->mass / enclosed->mass : 1.0;
    if (times > 1.01) overcounted_.push_back(name);
    most_ = std::max(most_, times);
  }
  loaded.weight = *weight;
  return loaded;
}

const Meshes::Loaded* Meshes::loaded(const XmlElement& geom, ImportLog& log) {
  const std::string name = geom.text_or("mesh", "");
  try {
    const XmlElement& mesh = find(geom);
    if (!loaded_.contains(name)) loaded_.emplace(name, load(mesh, name, log));
    return &loaded_.at(name);
  } catch (const std::runtime_error& error) {
    if (dynamic_cast<const ModelError*>(&error) != nullptr) throw;
    log.warn(geom.where(), "what mesh \"" + name + "\" weighs is left out: it " + error.what());
    return nullptr;
  }
}

std::optional<BodyDescription> Meshes::weight(const XmlElement& geom, ImportLog& log) {
  const auto* mesh = loaded(geom, log);
  return mesh == nullptr ? std::nullopt : std::optional(mesh->weight);
}

std::optional<GeomShape> Meshes::fitted(const XmlElement& geom, const std::string& type,
                                        ImportLog& log) {
  const auto* mesh = loaded(geom, log);
  return mesh == nullptr ? std::nullopt : std::optional(fit(geom, type, *mesh));
}

// In the principal axes of the mesh, the smallest moment about z: to the box with the same moments,
// or with `fitaabb` to the smallest one around it.
GeomShape Meshes::fit(const XmlElement& geom, const std::string& type, const Loaded& mesh) const {
  const auto principal = principal_axes(mesh.weight.inertia);
  GeomShape shape;
  shape.X = {mesh.weight.com, principal.axes.rowwise().reverse()};
  shape.X.rotation.col(0) = shape.X.rotation.col(1).cross(shape.X.rotation.col(2));
  const Eigen::Vector3d moments = principal.moments.reverse() / mesh.weight.mass;
  Eigen::Vector3d box = (1.5 * (moments.sum() - 2.0 * moments.array())).max(0.0).sqrt();
  const bool is_long = type == "capsule" || type == "cylinder";
  if (compiler_.fits_box) {
    Eigen::AlignedBox3d around;
    for (const auto& x : mesh.triangles.vertices) around.extend(apply(inverse(shape.X), x));
    shape.X.position = apply(shape.X, around.center());
    box = 0.5 * around.sizes();
    if (type == "sphere") box = Eigen::Vector3d::Constant(box.maxCoeff());
    if (is_long) box = {std::max(box.x(), box.y()), box.z(), 0.0};
    if (type == "capsule") box.y() -= box.x();
  } else {
    if (type == "sphere") box = Eigen::Vector3d::Constant(box.mean());
    if (is_long) box = {0.5 * (box.x() + box.y()), box.z(), 0.0};
    if (type == "capsule") box.y() = std::max(0.0, box.y() - 0.5 * box.x());
  }
  shape.size = geom.number_or("fitscale", 1.0) * box;
  return shape;
}

void Meshes::note_overcounted(ImportLog& log) const {
  if (overcounted_.empty()) return;
  const auto name = '"' + overcounted_.front() + '"';
  log.note((overcounted_.size() == 1 ? "mesh " + name + " weighs "
                                     : std::to_string(overcounted_.size()) +
                                           " meshes, among them " + name + ", weigh up to ") +
           to_text(std::round(100.0 * most_) / 100.0) +
           " times what they enclose, as MJCF's inertia=\"legacy\" says, which is its default");
}

}  // namespace hamiltree::mjcf
