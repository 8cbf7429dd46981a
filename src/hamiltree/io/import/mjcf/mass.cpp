#include "hamiltree/io/import/mjcf/mass.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr double kPi = std::numbers::pi;

// Volume (m^3) and principal moments per mass (m^2) of a solid.
struct Solid {
  double volume = 0.0;
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
};

Solid ellipsoid(const Eigen::Vector3d& radii) {
  const Eigen::Vector3d square = radii.cwiseProduct(radii);
  return {
      4.0 / 3.0 * kPi * radii.prod(),
      Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y()) /
          5.0};
}

Solid box(const Eigen::Vector3d& half) {
  const Eigen::Vector3d square = half.cwiseProduct(half);
  return {8.0 * half.prod(), Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(),
                                             square.x() + square.y()) /
                                 3.0};
}

Solid cylinder(double r, double half) {
  const double across = r * r / 4.0 + half * half / 3.0;
  return {2.0 * kPi * r * r * half, {across, across, r * r / 2.0}};
}

// A cylinder between two half balls, whose centres are 3/8 r beyond its ends.
Solid capsule(double r, double half) {
  const Solid middle = cylinder(r, half);
  const double ball = 4.0 / 3.0 * kPi * r * r * r;
  const double volume = middle.volume + ball;
  const double ends_across = 2.0 / 5.0 * r * r + half * half + 3.0 / 4.0 * half * r;
  const double across = (middle.volume * middle.moments.x() + ball * ends_across) / volume;
  const double along = (middle.volume * middle.moments.z() + ball * 2.0 / 5.0 * r * r) / volume;
  return {volume, {across, across, along}};
}

}  // namespace

GeomShape read_shape(const XmlElement& geom, const std::string& type, const Compiler& compiler) {
  GeomShape shape;
  if (geom.has("size")) {
    const Eigen::VectorXd size = geom.numbers("size");
    const auto count = std::min<Eigen::Index>(size.size(), 3);
    shape.size.head(count) = size.head(count);
  }
  if (!geom.has("fromto")) {
    shape.X = compiler.pose(geom);
    return shape;
  }
  const Eigen::VectorXd ends = geom.numbers("fromto", 6);
  const Eigen::Vector3d line = ends.head<3>() - ends.tail<3>();
  if (line.isZero(0.0)) geom.fail("the ends in fromto are one point");
  shape.X = {0.5 * (ends.head<3>() + ends.tail<3>()), turn_z_to(line.stableNormalized())};
  shape.size.y() = 0.5 * line.norm();
  if (type == "box" || type == "ellipsoid") {
    shape.size = {shape.size.x(), shape.size.x(), shape.size.y()};
  }
  return shape;
}

std::string type_of_geom(const XmlElement& geom) {
  return geom.text_or("type", geom.has("mesh") ? "mesh" : "sphere");
}

namespace {

std::optional<Solid> solid_of(const XmlElement& geom, const std::string& type,
                              const Eigen::Vector3d& size) {
  const auto need = [&](Eigen::Index count) {
    if (!(size.head(count).minCoeff() > 0.0)) {
      geom.fail("size of a " + type + " needs " + std::to_string(count) + " numbers above 0");
    }
  };
  if (type == "sphere") return need(1), ellipsoid(Eigen::Vector3d::Constant(size.x()));
  if (type == "capsule") return need(2), capsule(size.x(), size.y());
  if (type == "cylinder") return need(2), cylinder(size.x(), size.y());
  if (type == "ellipsoid") return need(3), ellipsoid(size);
  if (type == "box") return need(3), box(size);
  return std::nullopt;
}

}  // namespace

BodyDescription read_inertial(const XmlElement& inertial, const Compiler& compiler) {
  BodyDescription body;
  body.mass = inertial.number("mass");
  if (body.mass < 0.0) inertial.fail("mass must not be negative");
  const Frame X = compiler.pose(inertial);
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

std::optional<BodyDescription> read_geom(const XmlElement& geom, const Compiler& compiler,
                                         Meshes& meshes, ImportLog& log) {
  const std::string type = type_of_geom(geom);
  if (type == "plane" || type == "hfield") return std::nullopt;
  const double group = geom.number_or("group", 0.0);
  if (group < compiler.first_group || group > compiler.last_group) return std::nullopt;
  const bool has_mass = geom.has("mass");
  const double given = has_mass ? geom.number("mass") : geom.number_or("density", 1000.0);
  if (given < 0.0)
    geom.fail(has_mass ? "mass must not be negative" : "density must not be negative");
  if (given == 0.0) return std::nullopt;
  const bool is_shell = geom.boolean_or("shellinertia", false);
  if (type == "mesh" || type == "sdf" || geom.has("mesh")) {
    if (type != "mesh" || is_shell) {
      log.warn(geom.where(), is_shell ? "what the shell of a mesh weighs is left out"
                                      : "what a " + type + " fitted to a mesh weighs is left out");
      return std::nullopt;
    }
    auto solid = meshes.solid(geom, log);
    if (!solid) return std::nullopt;
    return placed(*solid, has_mass ? given / solid->mass : given, compiler.pose(geom));
  }
  if (is_shell) geom.fail("shells (shellinertia) are not read");
  const GeomShape shape = read_shape(geom, type, compiler);
  const auto solid = solid_of(geom, type, shape.size);
  if (!solid) geom.fail("type \"" + type + "\" is none of <geom>");
  BodyDescription body;
  body.mass = has_mass ? given : given * solid->volume;
  body.com = shape.X.position;
  body.inertia =
      shape.X.rotation * (body.mass * solid->moments).asDiagonal() * shape.X.rotation.transpose();
  return body;
}

}  // namespace hamiltree::mjcf
