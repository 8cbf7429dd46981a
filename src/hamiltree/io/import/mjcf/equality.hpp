// <equality> of MJCF: loops and couplings.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// A connect becomes a spherical joint, a weld a fixed one, a joint equality a coupling or, with one
// joint, a drive that holds it. Throws ModelError for what is none of these.
void read_equalities(const XmlElement& root, const Settings& settings, const Tree& tree,
                     Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
