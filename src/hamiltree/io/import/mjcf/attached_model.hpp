// A model that another one attaches, made independent of its own head.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// Writes into the elements of `model` what its default classes give them, turns angles into the
// unit of `outer` and orientations into quaternions, names its meshes by their whole paths, and
// puts its default classes into `outer`, all under the prefix. Throws ModelError where the two
// heads contradict each other in what the elements cannot say.
void settle_attached(XmlDocument& model, const std::filesystem::path& file, XmlDocument& outer,
                     const std::string& prefix, ImportLog& log);

}  // namespace hamiltree::mjcf
