// How bodies look. Nothing moves by it: models know nothing of looks, reports draw them.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

struct BoxShape {
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  // m, from face to face
};
struct CylinderShape {
  double radius = 1.0, length = 1.0;  // m, along z, its middle in the origin
};
struct CapsuleShape {
  double radius = 1.0, length = 1.0;  // m; the cylinder without the half balls at its ends
};
struct SphereShape {
  double radius = 1.0;  // m
};
struct EllipsoidShape {
  Eigen::Vector3d radii = Eigen::Vector3d::Ones();  // m
};
struct MeshShape {
  std::string file;  // relative to the model file; STL, OBJ, glTF or Collada
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  // m per unit of the file, along its axes
};

using VisualShape =
    std::variant<BoxShape, CylinderShape, CapsuleShape, SphereShape, EllipsoidShape, MeshShape>;

struct Visual {
  std::string body;  // or "ground"
  VisualShape shape = BoxShape{};
  Frame at;  // of the shape in the body's frame, spatial also in the plane
  std::optional<Eigen::Vector4d> rgba;  // 0 to 1; without it the mesh's own colours, or grey
  SourceLocation where;
};

using Looks = std::vector<Visual>;

// The looks of a model, and where the files lie that it names.
struct ModelLooks {
  Looks visuals;
  std::string file;              // of the model
  bool files_elsewhere = false;  // whether meshes may lie outside of its folder
};

}  // namespace hamiltree
