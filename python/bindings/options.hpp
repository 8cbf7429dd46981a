// Keyword arguments as the engine's options.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/integrators/method.hpp"

namespace hamiltree::bindings {

// Throws UsageError for a name that is unknown, and for what the method does not have.
Method make_method(const std::string& name, std::optional<double> rtol, std::optional<double> atol,
                   std::optional<double> step);

}  // namespace hamiltree::bindings
