#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree::generated {

Recorded record_spatial_hdca(const Model& model, const StateView& start, bool pass) {
  return Recorder<Hdca, Spatial<double>>::of(model, start, pass);
}

}  // namespace hamiltree::generated
