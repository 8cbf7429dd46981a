#include "hamiltree/io/import/native_visual.hpp"

#include "hamiltree/io/import/native_frame.hpp"

namespace hamiltree {
namespace {

Eigen::Vector3d read_sizes(TomlReader& reader, std::string_view key) {
  const Eigen::Vector3d sizes = reader.numbers(key, {3});
  if (!(sizes.minCoeff() > 0.0)) {
    reader.fail(key, reader.full(key) + " must be three numbers more than 0");
  }
  return sizes;
}

// One number for all axes, or one for each; negative ones mirror.
Eigen::Vector3d read_scale(TomlReader& reader) {
  if (!reader.has("scale")) return Eigen::Vector3d::Ones();
  const Eigen::Vector3d scale = reader.has_number("scale")
                                    ? Eigen::Vector3d::Constant(reader.number("scale"))
                                    : Eigen::Vector3d(reader.numbers("scale", {3}));
  if ((scale.array() == 0.0).any()) reader.fail("scale", "scale must not be 0");
  return scale;
}

VisualShape read_shape(TomlReader& reader) {
  const std::string type = reader.text("type");
  if (type == "box") return BoxShape{read_sizes(reader, "size")};
  if (type == "cylinder") {
    return CylinderShape{reader.positive("radius"), reader.positive("length")};
  }
  if (type == "capsule") {
    return CapsuleShape{reader.positive("radius"), reader.positive("length")};
  }
  if (type == "sphere") return SphereShape{reader.positive("radius")};
  if (type == "ellipsoid") return EllipsoidShape{read_sizes(reader, "radii")};
  if (type == "mesh") return MeshShape{reader.text("file"), read_scale(reader)};
  reader.fail_unknown("type", type, {"box", "cylinder", "capsule", "sphere", "ellipsoid", "mesh"});
}

Eigen::Vector4d read_colour(TomlReader& reader) {
  const Eigen::VectorXd given = reader.numbers("rgba", {3, 4});
  if (given.minCoeff() < 0.0 || given.maxCoeff() > 1.0) {
    reader.fail("rgba", "rgba must be numbers from 0 to 1");
  }
  Eigen::Vector4d rgba(0.0, 0.0, 0.0, 1.0);
  rgba.head(given.size()) = given;
  return rgba;
}

}  // namespace

Visual read_visual(TomlReader& reader) {
  reader.has("repeat");
  Visual visual;
  visual.where = reader.where("body");
  visual.body = reader.text("body");
  reader.set_element("visual of \"" + visual.body + "\"");
  visual.shape = read_shape(reader);
  visual.at = read_frame(reader, "at", SpaceKind::kSpatial);
  if (reader.has("rgba")) visual.rgba = read_colour(reader);
  reader.finish();
  return visual;
}

}  // namespace hamiltree
