#include "hamiltree/sensitivity/recorded_inverse.hpp"

#include "hamiltree/formulations/derivatives/tangents.hpp"

namespace hamiltree::sensitivity {

RecordedInverse record_inverse(const Model& model, const std::vector<int>& parameters) {
  derivatives::refuse_callbacks(model);
  return model.visit(
      [&](const auto& system) { return record_inverse_of(model, system, parameters); });
}

RecordedOpenTree record_open_tree(const Model& model, const std::vector<int>& parameters) {
  return model.visit(
      [&](const auto& system) { return record_open_tree_of(model, system, parameters); });
}

}  // namespace hamiltree::sensitivity
