// Loads the model that it is given, moves it, and says whether its energy was kept.
#include <hamiltree/batch/rollout.hpp>
#include <hamiltree/hamiltree.hpp>
#include <iostream>

int main(int, char** argv) {
  const auto model = hamiltree::load(argv[1]);
  const auto run = hamiltree::Simulation(model).run_until(1.0);
  std::cout << run.summary.model.name << ' ' << run.summary.energy.max_relative_error << '\n';
  return run.summary.energy.max_relative_error < 1e-6 ? 0 : 1;
}
