// All functions of time in a description: of drives, of moving frames, of forces.
#pragma once

#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// They live as long as the description.
std::vector<const TimeFunction*> functions_of_time(const Mechanism& mechanism);

// Whether the same state may move differently at another time: by a function of time, unless it is
// a constant, or by a callback, which is told the time.
bool depends_on_time(const Mechanism& mechanism);

}  // namespace hamiltree
