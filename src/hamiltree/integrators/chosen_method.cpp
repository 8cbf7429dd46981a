#include "hamiltree/integrators/chosen_method.hpp"

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/listed.hpp"

namespace hamiltree {

Method chosen_method(const std::string& name, std::optional<double> rtol,
                     std::optional<double> atol, std::optional<double> step) {
  const auto method = method_from_name(name);
  if (!method)
    throw UsageError("integrator \"" + name + "\" is not one of " + listed(method_names()));
  if (const auto tolerances = tolerances_of(*method)) {
    if (step) throw UsageError("step does not go with " + name + ", which has rtol and atol");
    return with_tolerances(
        *method, {rtol.value_or(tolerances->relative), atol.value_or(tolerances->absolute)});
  }
  if (rtol || atol) throw UsageError("rtol and atol do not go with " + name + ", which has a step");
  return with_step(*method, step.value_or(*step_of(*method)));
}

}  // namespace hamiltree
