// The output of studies and comparisons: a folder with a report, and its statements on stdout.
#pragma once

#include <filesystem>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree::app {

// Throws std::runtime_error for files that cannot be written.
void write_and_tell(const Document& document, const std::filesystem::path& folder, bool quiet);

}  // namespace hamiltree::app
