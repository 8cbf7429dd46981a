#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"

namespace hamiltree {

template class Recursive<Spatial<Traced>>;

namespace codegen {

Recorded record_spatial_recursive(const Model& model, const StateView& start,
                                  const RecordOptions& options) {
  return Recorder<Recursive, Spatial<double>>::of(model, start, options);
}

}  // namespace codegen
}  // namespace hamiltree
