#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/generated/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template class Hdca<Spatial<Traced>>;

namespace generated {

Recorded record_spatial_hdca(const Model& model, const StateView& start,
                             const RecordOptions& options) {
  return Recorder<Hdca, Spatial<double>>::of(model, start, options);
}

}  // namespace generated
}  // namespace hamiltree
