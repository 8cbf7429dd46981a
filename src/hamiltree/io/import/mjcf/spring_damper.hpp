// `springdamper` of MJCF's joints: springs and dampers by their time constant and damping ratio.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// Adds the springs and dampers of all joints with `springdamper` to the mechanism, whose bodies and
// joints are complete and in the order of the tree. The inertia that they belong to is the inverse
// of the joint's own entry in the inverse mass matrix, all joints at `ref` and free to move.
void add_spring_dampers(const Settings& settings, const Tree& tree, Mechanism& mechanism);

}  // namespace hamiltree::mjcf
