// The one sentence for a step or a tolerance that is no positive number.
#pragma once

#include <cmath>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/method.hpp"

namespace hamiltree {

// Throws UsageError.
inline void require_positive(double value, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value))
    throw UsageError(std::string(what) + " must be a positive number, it is " + to_text(value));
}
inline void require_positive(const Tolerances& tolerances) {
  require_positive(tolerances.relative, "rtol");
  require_positive(tolerances.absolute, "atol");
}

}  // namespace hamiltree
