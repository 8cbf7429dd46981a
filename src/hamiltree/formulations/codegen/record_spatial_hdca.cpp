#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template class Hdca<Spatial<Traced>>;

namespace codegen {

Recorded record_spatial_hdca(const Model& model, const StateView& start, bool pass) {
  return Recorder<Hdca, Spatial<double>>::of(model, start, pass);
}

}  // namespace codegen
}  // namespace hamiltree
