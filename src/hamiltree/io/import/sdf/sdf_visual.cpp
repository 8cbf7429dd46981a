#include "hamiltree/io/import/sdf/sdf_visual.hpp"

#include "hamiltree/io/import/sdf/sdf_elements.hpp"

namespace hamiltree::sdf {
namespace {

Eigen::Vector3d read_vector(const XmlElement& element, const char* child) {
  const auto found = element.child(child);
  return found ? Eigen::Vector3d(found->content_numbers(3)) : Eigen::Vector3d::Ones();
}

std::optional<VisualShape> read_mesh(const XmlElement& mesh, ImportedLooks& looks) {
  if (mesh.child("submesh")) {
    looks.leave_out(mesh.title(), "asks for a part of a mesh");
    return std::nullopt;
  }
  const auto file = looks.find(mesh.required_child("uri").content());
  if (!file) return std::nullopt;
  return MeshShape{*file, read_vector(mesh, "scale")};
}

std::optional<VisualShape> read_shape(const XmlElement& geometry, ImportedLooks& looks) {
  for (const auto& shape : geometry.children()) {
    const std::string kind = shape.name();
    const auto length = [&](const char* child) { return read_number(shape, child, 1.0); };
    if (kind == "box") return BoxShape{read_vector(shape, "size")};
    if (kind == "cylinder") return CylinderShape{length("radius"), length("length")};
    if (kind == "capsule") return CapsuleShape{length("radius"), length("length")};
    if (kind == "sphere") return SphereShape{length("radius")};
    if (kind == "ellipsoid") return EllipsoidShape{read_vector(shape, "radii")};
    if (kind == "mesh") return read_mesh(shape, looks);
    if (kind != "empty") looks.leave_out(kind, "is none of the shapes that are drawn");
  }
  return std::nullopt;
}

// Three numbers or four.
std::optional<Eigen::Vector4d> read_colour(const XmlElement& visual) {
  const auto material = visual.child("material");
  if (!material) return std::nullopt;
  auto colour = material->child("diffuse");
  if (!colour) colour = material->child("ambient");
  if (!colour) return std::nullopt;
  const Eigen::VectorXd given = colour->content_numbers();
  if (given.size() != 3 && given.size() != 4) colour->fail("needs 3 or 4 numbers");
  Eigen::Vector4d rgba = Eigen::Vector4d::Ones();
  rgba.head(given.size()) = given;
  rgba(3) *= 1.0 - read_number(visual, "transparency", 0.0);
  return rgba;
}

void read_visual(const XmlElement& visual, const std::string& body, ImportedLooks& looks) {
  const auto geometry = visual.child("geometry");
  const auto pose = visual.child("pose");
  if (!geometry) return;
  if (pose && !pose->text_or("relative_to", "").empty()) {
    looks.leave_out(visual.title(), "is placed relative to another frame than its link");
  } else if (const auto shape = read_shape(*geometry, looks)) {
    looks.add({body, *shape, read_own_pose(visual), read_colour(visual), visual.where()});
  }
}

}  // namespace

void read_visuals(const XmlElement& link, const std::string& body, ImportedLooks& looks) {
  for (const auto& visual : link.children("visual")) {
    looks.attempt(visual.title(), [&] { read_visual(visual, body, looks); });
  }
}

}  // namespace hamiltree::sdf
