// <equality> of MJCF: loops and couplings.
#pragma once

#include "hamiltree/io/import/mjcf/tendon.hpp"

namespace hamiltree::mjcf {

// A connect becomes a spherical joint, a weld a fixed one, an equality of joints or fixed tendons a
// coupling or, with one joint, a drive that holds it. Throws ModelError for what is none of these.
void read_equalities(const XmlElement& root, const Settings& settings, const Tree& tree,
                     const Tendons& tendons, Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
