// [[joint]] of the native format as a description.
#pragma once

#include <vector>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The joint, and into `forces` its spring and damper, limits and friction, where it has them. Reads
// every key of its table and refuses the rest.
JointDescription read_joint(TomlReader& reader, SpaceKind space,
                            std::vector<ForceDescription>& forces);

}  // namespace hamiltree
