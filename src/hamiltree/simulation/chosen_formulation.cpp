#include "hamiltree/simulation/chosen_formulation.hpp"

#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/select.hpp"

namespace hamiltree {

SimulationOptions with_formulation(const Model& model, const Eigen::VectorXd& q,
                                   SimulationOptions options) {
  check_formulation_choice(kernel_of(options.formulation));
  if (options.formulation != kAutoFormulation) return options;
  const auto take = [&](const SelectedFormulation& selected) {
    options.formulation = selected.name;
    options.formulation_reason = selected.reason;
  };
  if (options.lanes != LaneChoice::kAuto) {
    take({"recursive", "no other has lanes to choose"});
  } else if (options.segments > 0) {
    take({"recursive", "nothing is faster, and segments keep the digits"});
  } else {
    take(select_formulation(model, q));
  }
  return options;
}

}  // namespace hamiltree
