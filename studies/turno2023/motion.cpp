#include "studies/turno2023/motion.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::turno2023 {

Motion simulated(const Model& model, const SimulationOptions& options, double until, double every) {
  Simulation simulation(model, options);
  const auto probe = make_probe(model);
  Motion motion;
  for (const auto& sample : simulation.run_until(until, every).samples) {
    probe->set(sample.t, sample.q.data(), sample.v.data());
    motion.t.push_back(sample.t);
    motion.q.push_back(sample.q);
    motion.v.push_back(sample.v);
    motion.p.push_back(sample.p);
    motion.kinetic.push_back(sample.kinetic_energy);
    motion.energy.push_back(sample.kinetic_energy + sample.potential_energy);
    motion.gap.push_back(probe->phi().norm());
  }
  return motion;
}

Motion reference(const Model& model, double until, double every) {
  return simulated(model, {.integrator = DormandPrince{1e-13, 1e-13}}, until, every);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

}  // namespace hamiltree::turno2023
