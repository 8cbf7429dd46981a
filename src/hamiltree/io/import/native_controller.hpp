// [[controller]] of the native format.
#pragma once

#include <string>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/callbacks.hpp"

namespace hamiltree {

// `model_file`: what the controller's file is relative to.
Controller read_controller(TomlReader& reader, const std::string& model_file);

}  // namespace hamiltree
