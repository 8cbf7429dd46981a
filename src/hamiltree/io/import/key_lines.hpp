// Where the keys of an element stand. A mechanism knows the lines of its elements; those of their
// keys are looked up when one of them is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Throws the ModelError of a mechanism that cannot be accepted, as it was read from `text`, with
// the line of the key that is wrong; the UsageError of an override that has set it.
void check_with_lines(const Mechanism& mechanism, std::string_view text, const std::string& file,
                      const std::vector<std::string>& overrides);

}  // namespace hamiltree
