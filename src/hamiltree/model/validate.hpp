// The checks that need no tables: names, masses, inertias, numbers, references.
#pragma once

#include <map>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Name -> index in the description.
using NameTable = std::map<std::string, int, std::less<>>;

struct Names {
  NameTable bodies, joints;
};

// Throws ModelError for the first element that cannot be accepted, in the order of the description.
Names validate(const Mechanism& mechanism);

}  // namespace hamiltree
