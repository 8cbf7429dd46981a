// A closed loop from a model file, and what its joints have to bear.
#include <algorithm>

#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  const auto model = hamiltree::load("mechanisms/four_bar/model.toml");
  hamiltree::Simulation simulation(model);
  const auto run = simulation.run_until(2.0, 0.01);

  // Reactions of all joints at each sample: accelerations first, then joint by joint.
  const auto formulation = hamiltree::make_formulation("hdca", model);
  const auto workspace = formulation->make_workspace();
  double largest = 0.0;
  const int joint = *model.find_joint("A");
  for (const auto& sample : run.samples) {
    const hamiltree::StateView state{sample.t, sample.q.data(), sample.p.data()};
    if (&sample == &run.samples.front()) formulation->analyse(state, *workspace);
    formulation->prepare(state, *workspace);
    formulation->accelerations(state, *workspace);
    largest = std::max(largest, formulation->reaction(joint, *workspace).force.norm());
  }
  show("crank", run.samples.back().q(0));
  show("largest_force_at_A", largest);
  show("loop_open_by_less_than_1e-12", run.summary.constraint.position_max < 1e-12);
}
