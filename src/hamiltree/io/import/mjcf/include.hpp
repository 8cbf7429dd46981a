// <include file="..."/> of MJCF: other files become part of the one that includes them.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// Replaces every <include> by what the root of its file holds, also within included files. Throws
// ModelError for a file that cannot be read, lies outside of the model's folder (named_file.hpp) or
// is included a second time.
void include_files(XmlDocument& document, const std::filesystem::path& file,
                   const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree::mjcf
