// Three parallel bars carry a beam where two would do: redundant constraints do the motion no harm.
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

int main() {
  const auto model = hamiltree::load("mechanisms/parallelogram/model.toml");
  const auto run = hamiltree::Simulation(model).run_until(1.0, 0.01);
  show("constraints", model.constraint_count());
  show("redundant", run.summary.model.redundant_constraints);
  show("degrees_of_freedom", run.summary.model.degrees_of_freedom);
  for (Eigen::Index i = 0; i < 3; ++i) show("q" + std::to_string(i), run.samples.back().q(i));
}
