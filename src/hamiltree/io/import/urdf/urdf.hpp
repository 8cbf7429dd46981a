// URDF with the dialects in which it says loops: docs/formats/urdf.md.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_document.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The acceleration of free fall where a format says none: along -z, m/s^2.
inline constexpr double kUsualGravity = 9.81;

// Links and joints as the file says them, not yet normalised. `file` is where a YAML file with
// loops is looked for, of the same name beside it. Throws ModelError.
Mechanism read_urdf(const XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree
