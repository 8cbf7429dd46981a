// <composite> of MJCF: cables, chains of equal bodies along a curve.
#pragma once

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// Replaces every <composite type="cable"> by its bodies, one for each piece between two vertices,
// with ball joints, geoms, sites at the ends and its <plugin>, as MuJoCo 3 makes them and by the
// same names. Throws ModelError for other types, which MuJoCo takes no more, and for a cable that
// is none.
void expand_composites(XmlDocument& document, ImportLog& log);

}  // namespace hamiltree::mjcf
