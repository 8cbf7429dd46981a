// The shipped mechanisms that studies run, embedded in the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::studies {

// mechanisms/NAME/model.toml, with overrides as those of --set. Throws std::logic_error for a name
// that is not embedded.
Mechanism shipped(std::string_view name, const std::vector<std::string>& overrides = {});

}  // namespace hamiltree::studies
