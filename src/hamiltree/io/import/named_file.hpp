// Files that a model file names, or that lie beside it: they are read from its folder alone, unless
// the user allows more.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "hamiltree/io/import/import_log.hpp"

namespace hamiltree {

// The path of the file that `model` calls `name`. Its folder is where `model` lies, also where a
// symbolic link to `model` leads. Throws std::runtime_error, whose sentence goes on after the name,
// for a file that is not there, no ordinary one or elsewhere, and for an address as package://...
std::filesystem::path named_file(const std::filesystem::path& model, const std::string& name,
                                 const ImportOptions& options);

}  // namespace hamiltree
