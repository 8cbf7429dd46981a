#include "hamiltree/simulation/check_options.hpp"

#include <cmath>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/require_positive.hpp"

namespace hamiltree {

void check_options(const SimulationOptions& options, const Model& model, StateForm form) {
  const bool canonical = is_symplectic(options.integrator);
  const std::string method = to_name(options.integrator);
  const bool velocity_form = form == StateForm::kVelocities;
  const auto refuse = [](const std::string& why) { throw UsageError(why); };
  if (canonical && velocity_form) {
    refuse(method + " integrates momenta; formulation " + options.formulation +
           " works with velocities");
  }
  if (options.segments < 0) refuse("segments have a number of bodies, or 0 for none");
  if (options.segments > 0) {
    const auto no_segments = [&](const std::string& why) {
      refuse("floating segments do not go " + why);
    };
    if (canonical) no_segments("with " + method + ", between whose steps nothing may be reset");
    if (velocity_form) {
      no_segments("with formulation " + options.formulation +
                  ", which works with velocities and loses no digits on long chains");
    }
    if (!options.reset) no_segments("without reset, which is what keeps their digits");
  }
  if (canonical && model.constraint_count() > 0 && !options.reset) {
    refuse(method + " keeps the gauge clean by its own construction; reset cannot be off");
  }
  if (options.leak) {
    if (!(*options.leak >= 0.0) || !std::isfinite(*options.leak)) {
      refuse("the leak must not be negative");
    }
    if (canonical) refuse(method + " keeps the gauge clean itself and takes no leak");
    if (velocity_form) {
      refuse("formulation " + options.formulation + " has no sigma and takes no leak");
    }
  }
  if (options.max_energy_error) require_positive(*options.max_energy_error, "max_energy_error");
  if (options.max_constraint_error)
    require_positive(*options.max_constraint_error, "max_constraint_error");
  if (!options.energy_scaling) return;
  const auto no_scaling = [&](const std::string& why) {
    refuse("energy scaling cannot be used " + why);
  };
  if (canonical) no_scaling("with " + method + ", which would no longer be symplectic");
  if (is_multistep(options.integrator))
    no_scaling("with " + method + ", whose steps rest on earlier ones");
  if (velocity_form)
    no_scaling("with formulation " + options.formulation + ", which has no momenta");
  for (const auto& joint : model.mechanism().joints) {
    if (joint.drive || joint.parent_motion) {
      no_scaling("with driven joints or moving frames (joint \"" + joint.name + "\")");
    }
    if (joint.type == JointType::kFree) {
      no_scaling("on a mechanism that floats (joint \"" + joint.name +
                 "\"): its total momentum would not be kept");
    }
  }
}

}  // namespace hamiltree
