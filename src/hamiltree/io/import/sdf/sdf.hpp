// SDF, the format of Gazebo: docs/formats/sdf.md.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_document.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Links and joints as the file says them, not yet normalised. Throws ModelError.
Mechanism read_sdf(XmlDocument& document, const std::filesystem::path& file,
                   const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree
