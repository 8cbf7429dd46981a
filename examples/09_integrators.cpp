// The same four-bar by four methods: what they cost, and how well they keep the energy.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  const auto model = hamiltree::load("mechanisms/four_bar/model.toml");
  const hamiltree::Method methods[] = {
      hamiltree::DormandPrince{.rtol = 1e-8, .atol = 1e-8},
      hamiltree::Adams{.rtol = 1e-8, .atol = 1e-8},
      hamiltree::RungeKutta4{.step = 1e-3},
      hamiltree::Spark{.stages = 2, .step = 2e-3},
  };
  for (const auto& method : methods) {
    hamiltree::Simulation simulation(model, {.integrator = method});
    const auto run = simulation.run_until(2.0, 0.02);
    const std::string name = hamiltree::to_name(method);
    show(name + ".steps", static_cast<double>(run.summary.steps));
    show(name + ".crank", run.samples.back().q(0));
    show(name + ".energy_kept_to_1e-5", run.summary.energy.max_relative_error < 1e-5);
  }
}
