// A robot from a URDF file falls; what its damper takes is in the energy balance.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  const auto model = hamiltree::load("examples/arm.urdf");
  const auto run = hamiltree::Simulation(model).run_until(2.0, 0.01);
  const auto& last = run.samples.back();
  show("shoulder", last.q(0));
  show("elbow", last.q(1));
  show("dissipated", last.work.dissipated);
  show("balance_below_1e-7", run.summary.energy.max_relative_error < 1e-7);
}
