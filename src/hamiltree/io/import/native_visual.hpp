// [[visual]] of the native format, and the looks of a whole model file.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/io/looks.hpp"

namespace hamiltree {

Visual read_visual(TomlReader& reader);

// How the bodies of a native model file look, in the order of the file. `overrides` as for
// parse_native(), which also checks what the visuals say; throws as that.
Looks parse_looks(std::string_view text, const std::string& file_name,
                  const std::vector<std::string>& overrides = {});

}  // namespace hamiltree
