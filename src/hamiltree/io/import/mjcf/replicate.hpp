// <replicate> of MJCF: what it holds, several times.
#pragma once

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// Replaces every <replicate> by frames, each with a copy of what it holds, turned and moved on from
// the one before. Names in a copy end with the separator and its number. Equalities, tendons,
// actuators and sensors that name something in it are copied as well. Throws ModelError for a count
// that is none and for copies beyond the limit of elements.
void expand_replicates(XmlDocument& document);

}  // namespace hamiltree::mjcf
