// How models whose format leaves it open stand in the world.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/import_log.hpp"

namespace hamiltree {

// Connects to the ground what no joint does, each time by the first body that is no joint's child,
// else by the first one. It floats, which is noted, unless the user wants it fixed or it has no
// mass, with all that is fixed to it: then it is where the model stands. `at_start` are the poses
// of bodies in the world; a body that is not there is at the origin.
void hold_roots(Mechanism& mechanism, const std::map<std::string, Frame>& at_start,
                const ImportOptions& options, ImportLog& log);

}  // namespace hamiltree
