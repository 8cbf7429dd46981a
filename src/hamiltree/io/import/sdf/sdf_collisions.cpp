#include "hamiltree/io/import/sdf/sdf_collisions.hpp"

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/sdf/sdf_elements.hpp"
#include "hamiltree/io/import/solids.hpp"

namespace hamiltree::sdf {
namespace {

constexpr double kWater = 1000.0;  // kg/m^3, the default of SDF

double length_of(const XmlElement& shape, const char* child) {
  const auto length = shape.required_child(child);
  const double value = length.content_number();
  if (!(value > 0.0)) length.fail("must be above 0, it is " + to_text(value));
  return value;
}
Eigen::Vector3d lengths_of(const XmlElement& shape, const char* child) {
  const auto lengths = shape.required_child(child);
  const Eigen::Vector3d values = lengths.content_numbers(3);
  if (!(values.minCoeff() > 0.0)) lengths.fail("needs 3 numbers above 0");
  return values;
}

BodyDescription solid(const Extent& extent, double density, const Eigen::Vector3d& com) {
  BodyDescription part;
  part.mass = density * extent.measure;
  part.com = com;
  part.inertia = part.mass * extent.moments.asDiagonal().toDenseMatrix();
  return part;
}

BodyDescription solid_of(const XmlElement& shape, double density) {
  const std::string kind = shape.name();
  const Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  const auto round = [&](auto extent) {
    return solid(extent(length_of(shape, "radius"), 0.5 * length_of(shape, "length")), density,
                 centre);
  };
  if (kind == "box") return solid(box(0.5 * lengths_of(shape, "size")), density, centre);
  if (kind == "ellipsoid") return solid(ellipsoid(lengths_of(shape, "radii")), density, centre);
  if (kind == "sphere") {
    const double r = length_of(shape, "radius");
    return solid(ellipsoid(Eigen::Vector3d::Constant(r)), density, centre);
  }
  if (kind == "cylinder") return round(cylinder);
  if (kind == "capsule") return round(capsule);
  if (kind == "cone") {
    const double half = 0.5 * length_of(shape, "length");
    return solid(cone(length_of(shape, "radius"), half), density, {0.0, 0.0, -0.5 * half});
  }
  shape.fail("inertia from this shape (auto) is not read; write it out");
}

}  // namespace

void take_mass_of_collisions(const XmlElement& link, const XmlElement& inertial,
                             BodyDescription& body, ImportLog& log) {
  body.mass = 0.0;
  body.inertia.setZero();
  const double of_link = read_number(inertial, "density", kWater);
  for (const auto& collision : link.children("collision")) {
    log.use("collision");
    const auto pose = collision.child("pose");
    if (pose && !pose->text_or("relative_to", "").empty())
      pose->fail(
          "inertia (auto) of a collision relative to another frame than its link is not read");
    const double density = read_number(collision, "density", of_link);
    if (!(density > 0.0)) collision.fail("density must be above 0, it is " + to_text(density));
    for (const auto& shape : collision.required_child("geometry").children())
      add_mass(body, read_own_pose(collision), solid_of(shape, density));
  }
  if (body.mass == 0.0) inertial.fail("inertia from shapes (auto) needs a collision");
  if (!inertial.child("mass")) return;
  const double mass = read_number(inertial, "mass", body.mass);
  if (!(mass > 0.0)) inertial.fail("mass must be above 0, it is " + to_text(mass));
  body.inertia *= mass / body.mass;
  body.mass = mass;
}

}  // namespace hamiltree::sdf
