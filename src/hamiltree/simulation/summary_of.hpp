// The summary of a run as it stands.
#pragma once

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// All but how it ended. `counts`: of all integrators that took its steps.
Summary summary_of(const SimulationOptions& options, const Diagnostics& diagnostics,
                   MechanismOde& motion, const Integrator& integrator,
                   const IntegratorCounts& counts);

ModelSummary summary_of(const Model& model, int degrees_of_freedom);

}  // namespace hamiltree
