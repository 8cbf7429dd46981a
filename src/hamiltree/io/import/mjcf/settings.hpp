// Settings at the head of an MJCF file, for all that follows.
#pragma once

#include <set>
#include <string>

#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"

namespace hamiltree::mjcf {

struct Settings {
  Compiler compiler;
  Defaults defaults;
  std::set<std::string> disabled;  // of <option><flag .../>: "limit", "spring", ...; "passive" is
                                   // all that is passive, with springs and dampers
};

}  // namespace hamiltree::mjcf
