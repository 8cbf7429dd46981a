// A recording whose samples match their header: what every exporter relies on.
#pragma once

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Throws std::invalid_argument that names the first sample with too many or too few values.
void check_fit(const Recording& recording);

}  // namespace hamiltree
