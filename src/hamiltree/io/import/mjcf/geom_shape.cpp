#include "hamiltree/io/import/mjcf/geom_shape.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/native_frame.hpp"

namespace hamiltree::mjcf {

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

namespace {

XmlElement height_field_of(const XmlElement& geom) {
  const std::string name = geom.text("hfield");
  for (const auto& assets : geom.document().root().children("asset")) {
    for (const auto& field : assets.children("hfield")) {
      const std::filesystem::path file = with_slashes(field.text_or("file", ""));
      if (field.text_or("name", file.stem().string()) == name) return field;
    }
  }
  geom.fail("there is no height field \"" + name + "\"");
}

}  // namespace

// It stands for half of the height, and for all of the base.
GeomShape box_of_height_field(const XmlElement& geom, const Compiler& compiler) {
  const Eigen::Vector4d size = height_field_of(geom).numbers("size", 4);
  return {{size(0), size(1), 0.5 * (0.5 * size(2) + size(3))}, compiler.pose(geom)};
}

std::string type_of_geom(const XmlElement& geom) {
  return geom.text_or("type", geom.has("mesh") ? "mesh" : "sphere");
}

bool is_fitted(const XmlElement& geom) {
  const std::string type = type_of_geom(geom);
  return geom.has("mesh") && type != "mesh" && type != "sdf";
}

namespace {

constexpr double kPi = std::numbers::pi;

// Between two ellipsoids whose radii differ by as little as one likes; the area by Thomsen's rule.
Extent ellipsoid_shell(const Eigen::Vector3d& radii) {
  constexpr double p = 1.6075;
  const Eigen::Array3d power = radii.array().pow(p);
  const double mean = (power(0) * power(1) + power(1) * power(2) + power(2) * power(0)) / 3.0;
  const Eigen::Vector3d thicker = 2.0 * radii / radii.cwiseInverse().sum();
  return {4.0 * kPi * std::pow(mean, 1.0 / p), about(radii.cwiseAbs2() + thicker) / 5.0};
}

Extent box_shell(const Eigen::Vector3d& half) {
  const Eigen::Vector3d square = half.cwiseAbs2();
  Extent shell;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();  // of the squares along each axis
  for (int i = 0; i < 3; ++i) {
    const double area = 8.0 * half((i + 1) % 3) * half((i + 2) % 3);  // of two faces
    Eigen::Vector3d part = square / 3.0;
    part(i) = square(i);
    sum += area * part;
    shell.measure += area;
  }
  shell.moments = about(sum / shell.measure);
  return shell;
}

Extent tube(double r, double half) {
  return {4.0 * kPi * r * half, about({r * r / 2.0, r * r / 2.0, half * half / 3.0})};
}

Extent cylinder_shell(double r, double half) {
  return together(tube(r, half),
                  {2.0 * kPi * r * r, about({r * r / 4.0, r * r / 4.0, half * half})});
}

Extent capsule_shell(double r, double half) {
  const double square = r * r / 3.0;
  return together(tube(r, half),
                  {4.0 * kPi * r * r, about({square, square, square + half * half + half * r})});
}

}  // namespace

std::optional<Extent> extent_of(const XmlElement& geom, const std::string& type,
                                const Eigen::Vector3d& size, bool is_shell) {
  const auto need = [&](Eigen::Index count) {
    if (!(size.head(count).minCoeff() > 0.0)) {
      geom.fail("size of a " + type + " needs " + std::to_string(count) + " numbers above 0");
    }
  };
  const double r = size.x(), half = size.y();
  if (type == "sphere") {
    need(1);
    const Eigen::Vector3d radii = Eigen::Vector3d::Constant(r);
    Extent ball = ellipsoid(radii);
    if (is_shell) ball = {4.0 * kPi * r * r, Eigen::Vector3d::Constant(2.0 / 3.0 * r * r)};
    return ball;
  }
  if (type == "capsule") {
    need(is_fitted(geom) ? 1 : 2);
    return is_shell ? capsule_shell(r, half) : capsule(r, half);
  }
  if (type == "cylinder") return need(2), is_shell ? cylinder_shell(r, half) : cylinder(r, half);
  if (type == "ellipsoid") return need(3), is_shell ? ellipsoid_shell(size) : ellipsoid(size);
  if (type == "box") return need(3), is_shell ? box_shell(size) : box(size);
  return std::nullopt;
}

}  // namespace hamiltree::mjcf
