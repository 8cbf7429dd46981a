// URDF with the dialects in which it says loops: docs/formats/urdf.md.
#pragma once

#include <filesystem>

#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/xml/xml_document.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The acceleration of free fall where a format says none: along -z, m/s^2.
inline constexpr double kUsualGravity = 9.81;

// m, rad, N, N m, m/s or rad/s: limits of so much are none. URDF has no word for that, and its
// usual parser refuses sliding joints without limits.
inline constexpr double kNoLimit = 1e15;

// Links and joints as the file says them, not yet normalised. `file` is where a YAML file with
// loops is looked for, of the same name beside it. Throws ModelError.
Mechanism read_urdf(const XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log, ImportedLooks& looks);

}  // namespace hamiltree
