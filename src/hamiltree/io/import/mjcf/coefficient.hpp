// `stiffness` and `damping` of MJCF, which may be polynomials since MuJoCo 4.
#pragma once

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// The single coefficient of a linear law; 0 where the attribute is missing. Throws ModelError for
// one that is not linear.
double linear_coefficient(const XmlElement& element, const char* attribute);

}  // namespace hamiltree::mjcf
