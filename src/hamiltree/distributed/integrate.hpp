// integrate: one distributed chain moves, all of it or a part on every rank, by a method with a
// fixed step.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "hamiltree/distributed/part.hpp"
#include "hamiltree/integrators/method.hpp"

namespace hamiltree::distributed {

struct IntegrationOptions {
  Method method;           // euler, semi_implicit_euler or rk4
  double until = 0.0;      // s
  double every = 0.0;      // s, between samples; 0: none but the first and the last
  std::size_t stride = 0;  // every so many links one is in the samples; 0: none
};

// The sample that rank 0 receives.
struct ChainSample {
  double t = 0.0;  // s
  Part::Energies energies;
  std::vector<double> q, q_dot;  // of links 0, stride, 2 stride, ...
};

struct IntegrationSummary {
  long steps = 0, rates = 0;
  double reached = 0.0;         // s
  double seconds = 0.0;         // of the steps
  double initial_energy = 0.0;  // J
  double energy_error = 0.0;    // J, the largest of all steps
  double peak_kinetic = 0.0;    // J
  double opened = 0.0;          // m, the most that a step opened a loop by; it was closed then

  double relative_energy_error() const {  // by the peak kinetic energy
    return peak_kinetic > 0.0 ? energy_error / peak_kinetic : 0.0;
  }
};

// All ranks together. `record` and `interrupted` are called on rank 0; where the latter says so all
// end after the present step. Throws SimulationError on all ranks where energies are
// no longer finite, UsageError for another method.
IntegrationSummary integrate(Part& part, const Ranks& ranks, const IntegrationOptions& options,
                             const std::function<void(const ChainSample&)>& record,
                             const std::function<bool(double t)>& interrupted);

}  // namespace hamiltree::distributed
