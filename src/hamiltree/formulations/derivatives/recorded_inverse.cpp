#include "hamiltree/formulations/derivatives/recorded_inverse.hpp"

#include "hamiltree/formulations/derivatives/tangents.hpp"

namespace hamiltree::derivatives {

RecordedInverse record_inverse(const Model& model, const std::vector<int>& parameters) {
  refuse_callbacks(model);
  return model.visit(
      [&](const auto& system) { return record_inverse_of(model, system, parameters); });
}

}  // namespace hamiltree::derivatives
