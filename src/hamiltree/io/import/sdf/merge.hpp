// <include merge="true"> of SDF: what a model holds becomes part of the one that includes it.
#pragma once

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::sdf {

// Puts copies of what `model` holds before the <include>, beside a frame that stands for the frame
// of the model, with the name `_merged__NAME__model__` that libsdformat gives it. Throws
// std::runtime_error where the <include> is not in a model, or places the model by one of its
// frames.
void merge_model(XmlDocument& document, const XmlElement& include, const XmlElement& model,
                 ImportLog& log);

}  // namespace hamiltree::sdf
