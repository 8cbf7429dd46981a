// A method by its name with what was asked of it, as files and bindings say it.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/integrators/method.hpp"

namespace hamiltree {

// Throws UsageError for a name that is unknown, and for what the method does not have: adaptive
// ones take rtol and atol, the others a step in s.
Method chosen_method(const std::string& name, std::optional<double> rtol,
                     std::optional<double> atol, std::optional<double> step);

}  // namespace hamiltree
