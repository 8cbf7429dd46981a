#include "hamiltree/formulations/derivatives/recorded_inverse.hpp"

#include "hamiltree/formulations/derivatives/tangents.hpp"

namespace hamiltree::derivatives {
namespace {

RecordedInverse record(const Model& model, const System<Planar<double>>& system,
                       const std::vector<int>& parameters) {
  return record_inverse_in_plane(model, system, parameters);
}
RecordedInverse record(const Model& model, const System<Spatial<double>>& system,
                       const std::vector<int>& parameters) {
  return record_inverse_in_space(model, system, parameters);
}

}  // namespace

RecordedInverse record_inverse(const Model& model, const std::vector<int>& parameters) {
  make_tangents(model);  // throws where a callback cannot be differentiated
  return model.visit([&](const auto& system) { return record(model, system, parameters); });
}

}  // namespace hamiltree::derivatives
