// MJCF, the format of MuJoCo: docs/formats/mjcf.md.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_document.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Bodies, joints and equalities as the file says them, not yet normalised. Included files are
// looked for beside `file` and become part of `document`. Throws ModelError.
Mechanism read_mjcf(XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree
