#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template class Hdca<Spatial<Traced>>;

namespace codegen {

Recorded record_spatial_hdca(const Model& model, const StateView& start,
                             const RecordOptions& options) {
  return Recorder<Hdca, Spatial<double>>::of(model, start, options);
}

}  // namespace codegen
}  // namespace hamiltree
