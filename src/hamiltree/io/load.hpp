// Loading a mechanism from a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// Reads and compiles a native model file (docs/formats/model.md). Overrides are "path=value", for
// example "body.crank.mass=2". Throws ModelError naming file, line and element, UsageError for an
// override that leads nowhere.
Model load(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

}  // namespace hamiltree
