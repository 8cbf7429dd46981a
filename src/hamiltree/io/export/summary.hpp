// The summary of a run as a JSON document. Keys, units: docs/formats/summary.md.
#pragma once

#include <string>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Keys in a fixed order, two spaces of indent, a newline at the end. Numbers read back exactly;
// what is not finite becomes null.
std::string to_json(const Summary& summary);

}  // namespace hamiltree
