// Mass properties of MJCF's bodies, by <inertial> or by their geoms.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/meshes.hpp"

namespace hamiltree::mjcf {

// From <inertial> in a frame at X_frame in the body: mass, centre and inertia in the body's frame.
BodyDescription read_inertial(const XmlElement& inertial, const Frame& X_frame,
                              const Compiler& compiler);

// What a geom weighs in its body's frame, and its axes there.
struct GeomWeight {
  BodyDescription body;
  Eigen::Matrix3d axes;
};

// From a <geom>, its default class already applied: a solid or shell of its density or mass;
// nothing where it has none. A mesh that cannot be read is left out with a warning.
std::optional<GeomWeight> read_geom(const XmlElement& geom, const Compiler& compiler,
                                    Meshes& meshes, ImportLog& log);

}  // namespace hamiltree::mjcf
