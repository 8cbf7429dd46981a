// <attach> of MJCF: bodies of another model, or of the same one, under a prefix.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// Puts each model's included files, attached models and replicates in their places; `file` is the
// model's own. Elements of attached models say in their own attributes what their default classes
// and their <compiler> made of them.
void expand(XmlDocument& document, const std::filesystem::path& file, const ImportOptions& options,
            ImportLog& log);

}  // namespace hamiltree::mjcf
