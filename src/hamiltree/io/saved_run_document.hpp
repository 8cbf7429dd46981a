// The document of a checkpoint, docs/formats/checkpoint.md, with its checksum. Its numbers are
// exact.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/io/saved_run.hpp"

namespace hamiltree {

std::string saved_run_document(const SavedRun& run);

// Throws std::runtime_error where the file is no checkpoint, damaged, or of another format.
SavedRun read_saved_run(const std::filesystem::path& file);

}  // namespace hamiltree
