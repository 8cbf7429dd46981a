// The shapes of <geom>: type, size, pose, and what is solid or shell of them.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/solids.hpp"

namespace hamiltree::mjcf {

// The size of a <geom> that is no mesh, in MuJoCo's half lengths, and its pose in its body's frame:
// `fromto` gives the line from end to end.
struct GeomShape {
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Frame X;
};
GeomShape read_shape(const XmlElement& geom, const std::string& type, const Compiler& compiler);

// The box that MuJoCo takes for a height field where it weighs it.
GeomShape box_of_height_field(const XmlElement& geom, const Compiler& compiler);

// "mesh", "box", ...; what is not said is a mesh where there is one, else a sphere.
std::string type_of_geom(const XmlElement& geom);

// Whether the shape is to be fitted to a mesh.
bool is_fitted(const XmlElement& geom);

// Of a solid or a shell. Nothing for a type that is none. Throws ModelError where the size is not
// above 0.
std::optional<Extent> extent_of(const XmlElement& geom, const std::string& type,
                                const Eigen::Vector3d& size, bool is_shell);

}  // namespace hamiltree::mjcf
