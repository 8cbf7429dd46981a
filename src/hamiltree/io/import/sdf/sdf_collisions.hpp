// <collision> of SDF, as far as links with <inertial auto="true"> weigh what it is.
#pragma once

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::sdf {

// Mass, centre and inertia of the solids that a link's collisions are, each with its <density>, or
// that of <inertial>, or that of water. A <mass> of <inertial> is what they weigh together. Throws
// ModelError for a link without collisions and for shapes that are not solid or come from files.
void take_mass_of_collisions(const XmlElement& link, const XmlElement& inertial,
                             BodyDescription& body, ImportLog& log);

}  // namespace hamiltree::sdf
