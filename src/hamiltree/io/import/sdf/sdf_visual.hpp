// <visual> of SDF: how links look.
#pragma once

#include <string>

#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::sdf {

// Adds the visuals of a link; what cannot be drawn is noted.
void read_visuals(const XmlElement& link, const std::string& body, ImportedLooks& looks);

}  // namespace hamiltree::sdf
