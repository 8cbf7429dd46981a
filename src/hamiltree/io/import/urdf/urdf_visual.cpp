#include "hamiltree/io/import/urdf/urdf_visual.hpp"

#include "hamiltree/io/import/mesh/mesh_format.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"

namespace hamiltree::urdf {
namespace {

std::optional<Eigen::Vector4d> own_colour(const XmlElement& material) {
  const auto colour = material.child("color");
  if (!colour) return std::nullopt;
  return Eigen::Vector4d(colour->numbers("rgba", 4));
}

// "shape" or "drake:shape"
bool is_shape(const XmlElement& element, std::string_view shape) {
  constexpr std::string_view kDrake = "drake:";
  const std::string whole = element.name();
  std::string_view name = whole;
  if (name.starts_with(kDrake)) name.remove_prefix(kDrake.size());
  return name == shape;
}

}  // namespace

VisualReader::VisualReader(const XmlElement& robot, ImportedLooks& looks) : looks_(looks) {
  const auto collect = [this](const XmlElement& element) {
    for (const auto& material : element.children("material")) {
      looks_.attempt(material.title(), [&] {
        if (const auto rgba = own_colour(material)) colours_[material.text_or("name", "")] = *rgba;
      });
    }
  };
  for (const auto& link : robot.children("link")) {
    for (const auto& visual : link.children("visual")) collect(visual);
  }
  collect(robot);
}

// As in ROS, meshes that have materials keep them, whatever the file says.
std::optional<Eigen::Vector4d> VisualReader::colour_of(const XmlElement& visual,
                                                       const VisualShape& shape) const {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
    const auto format = mesh_format(mesh->file);
    if (format == MeshFormat::kCollada || format == MeshFormat::kGltf) return std::nullopt;
  }
  const auto material = visual.child("material");
  if (!material) return std::nullopt;
  if (const auto rgba = own_colour(*material)) return rgba;
  const auto known = colours_.find(material->text_or("name", ""));
  return known == colours_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<VisualShape> VisualReader::read_shape(const XmlElement& geometry) {
  for (const auto& shape : geometry.children()) {
    if (is_shape(shape, "box")) return BoxShape{shape.numbers("size", 3)};
    if (is_shape(shape, "cylinder")) {
      return CylinderShape{shape.number("radius"), shape.number("length")};
    }
    if (is_shape(shape, "capsule")) {
      return CapsuleShape{shape.number("radius"), shape.number("length")};
    }
    if (is_shape(shape, "sphere")) return SphereShape{shape.number("radius")};
    if (is_shape(shape, "ellipsoid")) {
      return EllipsoidShape{{shape.number("a"), shape.number("b"), shape.number("c")}};
    }
    if (is_shape(shape, "mesh")) {
      const auto file = looks_.find(shape.text("filename"));
      if (!file) return std::nullopt;
      const Eigen::VectorXd scale =
          shape.has("scale") ? shape.numbers("scale") : Eigen::VectorXd::Ones(3);
      if (scale.size() == 3) return MeshShape{*file, scale};
      if (scale.size() == 1) return MeshShape{*file, Eigen::Vector3d::Constant(scale(0))};
      shape.fail("scale needs 1 or 3 numbers");
    }
    looks_.leave_out(shape.name(), "is none of the shapes that are drawn");
  }
  return std::nullopt;
}

void VisualReader::read(const XmlElement& link, const std::string& body) {
  for (const auto& element : link.children("visual")) {
    const auto geometry = element.child("geometry");
    if (!geometry) continue;
    looks_.attempt(element.title(), [&] {
      const auto shape = read_shape(*geometry);
      if (!shape) return;
      looks_.add({body, *shape, read_origin(element), colour_of(element, *shape), element.where()});
    });
  }
}

}  // namespace hamiltree::urdf
