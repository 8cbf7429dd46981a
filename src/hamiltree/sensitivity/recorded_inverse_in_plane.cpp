#include "hamiltree/sensitivity/recorded_inverse_of.hpp"

namespace hamiltree::sensitivity {

RecordedInverse record_inverse_of(const Model& model, const System<Planar<double>>& system,
                                  const std::vector<int>& parameters) {
  return InverseRecorder<Planar<double>>(model, system, parameters).all();
}

RecordedOpenTree record_open_tree_of(const Model& model, const System<Planar<double>>& system,
                                     const std::vector<int>& parameters) {
  return InverseRecorder<Planar<double>>(model, system, parameters).open_tree();
}

}  // namespace hamiltree::sensitivity
