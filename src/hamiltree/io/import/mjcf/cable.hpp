// MuJoCo's plugin mujoco.elasticity.cable: what bends and twists the joints of cables back.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// Adds a spring against the turn between each body with this plugin and the one that carries it,
// where both name the same instance; bodies and joints of the mechanism are complete. With G and E
// of `twist` and `bend`, J, I_y and I_z of the section of the body's first geom, L from one body's
// origin to the other's and s u the turn from one to the other, as a vector,
//   moment = -diag(G J, E I_y, E I_z) / L (s u - rest)      on the body, along the axes of the
//   other
// with the turn at the start as `rest`, or none where the plugin is `flat`. Warns of other plugins.
// Throws ModelError where the joint between the two is no ball joint.
void add_cables(const XmlElement& root, const Settings& settings, const Tree& tree,
                Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
