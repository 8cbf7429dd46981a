#include "hamiltree/io/import/mjcf/mass.hpp"

#include <string>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/mjcf/geom_shape.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree::mjcf {

BodyDescription read_inertial(const XmlElement& inertial, const Frame& X_frame,
                              const Compiler& compiler) {
  BodyDescription body;
  body.mass = inertial.number("mass");
  if (body.mass < 0.0) inertial.fail("mass must not be negative");
  const Frame X = compose(X_frame, compiler.pose(inertial));
  body.com = X.position;
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  if (inertial.has("fullinertia")) {
    const Eigen::VectorXd full = inertial.numbers("fullinertia", 6);
    J.diagonal() = full.head<3>();
    J(0, 1) = J(1, 0) = full(3);
    J(0, 2) = J(2, 0) = full(4);
    J(1, 2) = J(2, 1) = full(5);
  } else if (inertial.has("diaginertia")) {
    J.diagonal() = inertial.vector_or("diaginertia", Eigen::Vector3d::Zero());
  }
  if (compiler.balance_inertia && inertia_problem(J)) {
    J = Eigen::Matrix3d::Identity() * (J.trace() / 3.0);
  }
  body.inertia = X.rotation * J * X.rotation.transpose();
  return body;
}

namespace {

// A body at a pose, all of it `factor` times as heavy.
BodyDescription placed(const BodyDescription& body, double factor, const Frame& X) {
  BodyDescription result;
  result.mass = factor * body.mass;
  result.com = apply(X, body.com);
  result.inertia = factor * (X.rotation * body.inertia * X.rotation.transpose());
  return result;
}

}  // namespace

std::optional<GeomWeight> read_geom(const XmlElement& geom, const Compiler& compiler,
                                    Meshes& meshes, ImportLog& log) {
  const std::string type = type_of_geom(geom);
  if (type == "plane") return std::nullopt;
  const double group = geom.number_or("group", 0.0);
  if (group < compiler.first_group || group > compiler.last_group) return std::nullopt;
  const bool has_mass = geom.has("mass");
  const double given = has_mass ? geom.number("mass") : geom.number_or("density", 1000.0);
  if (given < 0.0)
    geom.fail(has_mass ? "mass must not be negative" : "density must not be negative");
  if (given == 0.0) return std::nullopt;
  const bool is_shell = geom.boolean_or("shellinertia", false);
  if (geom.has("mesh") && !is_fitted(geom)) {
    if (is_shell) geom.fail("that a mesh is a shell is said by inertia=\"shell\" of its <mesh>");
    const auto weight = meshes.weight(geom, log);
    if (!weight) return std::nullopt;
    const Frame X = compiler.pose(geom);
    return GeomWeight{placed(*weight, has_mass ? given / weight->mass : given, X), X.rotation};
  }
  GeomShape shape;
  if (is_fitted(geom)) {
    const auto fitted = meshes.fitted(geom, type, log);
    if (!fitted) return std::nullopt;
    shape = {fitted->size, compose(compiler.pose(geom), fitted->X)};
  } else if (type == "hfield") {
    shape = box_of_height_field(geom, compiler);
  } else {
    shape = read_shape(geom, type, compiler);
  }
  const auto extent = extent_of(geom, type == "hfield" ? "box" : type, shape.size, is_shell);
  if (!extent) {
    geom.fail_unknown(
        "type", type,
        {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"});
  }
  BodyDescription body;
  body.mass = has_mass ? given : given * extent->measure;
  body.com = shape.X.position;
  body.inertia =
      shape.X.rotation * (body.mass * extent->moments).asDiagonal() * shape.X.rotation.transpose();
  return GeomWeight{body, shape.X.rotation};
}

}  // namespace hamiltree::mjcf
