// A native model file once its TOML is parsed, for those who change values of it before it is read.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// As parse_native() of the text that the document comes from.
Mechanism read_mechanism(const toml::table& document, const std::string& file);

}  // namespace hamiltree
