// Mass properties of MJCF's bodies, by <inertial> or by their geoms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/meshes.hpp"

namespace hamiltree::mjcf {

// From <inertial>: mass, centre and inertia in the body's frame.
BodyDescription read_inertial(const XmlElement& inertial, const Compiler& compiler);

// From a <geom>, its default class already applied: a solid of its density or mass; nothing where
// it has none. A mesh that is not closed, or cannot be read, is left out with a warning.
std::optional<BodyDescription> read_geom(const XmlElement& geom, const Compiler& compiler,
                                         Meshes& meshes, ImportLog& log);

// The size of a <geom> that is no mesh, in MuJoCo's half lengths, and its pose in its body's frame:
// `fromto` gives the line from end to end.
struct GeomShape {
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Frame X;
};
GeomShape read_shape(const XmlElement& geom, const std::string& type, const Compiler& compiler);

// "mesh", "box", ...; what is not said is a mesh where there is one, else a sphere.
std::string type_of_geom(const XmlElement& geom);

}  // namespace hamiltree::mjcf
