// <tendon> of MJCF, as far as a tendon is a straight spring between two sites.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// A tendon that pulls and is no straight spring is left out with a warning.
void read_tendons(const XmlElement& root, const Settings& settings, const Tree& tree,
                  Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
