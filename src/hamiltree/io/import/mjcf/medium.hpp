// Drag of the medium that MJCF's <option> has by its `density` and `viscosity`.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// Adds a drag for each body: that of the box that has its mass and principal moments, as in
// MuJoCo. Of bodies with geoms of another `fluidshape` there is none but a warning.
void add_drag(const XmlElement& root, const Settings& settings, const Tree& tree,
              Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
