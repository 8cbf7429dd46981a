#include "hamiltree/io/import/mjcf/geom_looks.hpp"

#include <optional>
#include <stdexcept>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/geom_shape.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr double kLastShown = 2.0;  // group
const Eigen::Vector4d kGrey(0.5, 0.5, 0.5, 1.0);

Eigen::Vector4d read_rgba(const XmlElement& element, const Eigen::Vector4d& otherwise) {
  return element.has("rgba") ? Eigen::Vector4d(element.numbers("rgba", 4)) : otherwise;
}

// The mean colour of a texture that is drawn by rule; pictures are not read.
Eigen::Vector4d colour_of_texture(const XmlElement& texture) {
  Eigen::Vector4d rgba = Eigen::Vector4d::Ones();
  if (texture.text_or("builtin", "none") != "none") {
    rgba.head<3>() = texture.vector_or("rgb1", Eigen::Vector3d::Constant(0.8));
  }
  return rgba;
}

std::optional<VisualShape> shape_of(const std::string& type, const Eigen::Vector3d& half) {
  if (type == "sphere") return SphereShape{half.x()};
  if (type == "capsule") return CapsuleShape{half.x(), 2.0 * half.y()};
  if (type == "cylinder") return CylinderShape{half.x(), 2.0 * half.y()};
  if (type == "ellipsoid") return EllipsoidShape{half};
  if (type == "box") return BoxShape{2.0 * half};
  return std::nullopt;
}

}  // namespace

GeomLooks::GeomLooks(const XmlElement& root, const Settings& settings, const Meshes& meshes,
                     ImportedLooks& looks)
    : settings_(settings), meshes_(meshes), looks_(looks) {
  for (const auto& assets : root.children("asset")) {
    for (const auto& material : assets.children("material")) {
      looks_.attempt(material.title(), [&] {
        settings_.defaults.complete(material, "");
        materials_[material.text_or("name", "")] = colour_of_material(material, root);
      });
    }
  }
}

Eigen::Vector4d GeomLooks::colour_of_material(const XmlElement& material,
                                              const XmlElement& root) const {
  Eigen::Vector4d rgba = read_rgba(material, Eigen::Vector4d::Ones());
  for (const auto& assets : root.children("asset")) {
    for (const auto& texture : assets.children("texture")) {
      if (material.has("texture") && texture.text_or("name", "") == material.text("texture"))
        rgba = rgba.cwiseProduct(colour_of_texture(texture));
    }
  }
  return rgba;
}

// The geom's own colour comes before that of its material, unless it is the one that all have.
Eigen::Vector4d GeomLooks::colour_of(const XmlElement& geom) const {
  const Eigen::Vector4d own = read_rgba(geom, kGrey);
  const auto material = materials_.find(geom.text_or("material", ""));
  return own == kGrey && material != materials_.end() ? material->second : own;
}

void GeomLooks::read_mesh(const XmlElement& geom, const std::string& body, const Frame& X) {
  try {
    const auto seen = meshes_.seen(geom);
    const auto file = looks_.find(seen.file);
    if (!file) return;
    const Frame at = compose(X, compose(settings_.compiler.pose(geom), seen.X));
    looks_.add({body, MeshShape{*file, seen.scale}, at, colour_of(geom), geom.where()});
  } catch (const ModelError&) {
    throw;
  } catch (const std::runtime_error& error) {
    looks_.leave_out(geom.text_or("mesh", ""), error.what());
  }
}

void GeomLooks::read(const XmlElement& geom, const std::string& body, const Frame& X) {
  looks_.attempt(geom.title(), [&] {
    const std::string type = type_of_geom(geom);
    const bool is_floor = type == "plane" || type == "hfield";  // the viewer has its own
    if (is_floor || geom.number_or("group", 0.0) > kLastShown) return;
    if (colour_of(geom).w() == 0.0) return;
    if (type == "mesh") return read_mesh(geom, body, X);
    if (geom.has("mesh")) return looks_.leave_out(geom.title(), "is fitted to a mesh");
    const auto [size, at] = read_shape(geom, type, settings_.compiler);
    const auto shape = shape_of(type, size);
    if (!shape) return looks_.leave_out(geom.title(), "is none of the shapes that are drawn");
    looks_.add({body, *shape, compose(X, at), colour_of(geom), geom.where()});
  });
}

}  // namespace hamiltree::mjcf
