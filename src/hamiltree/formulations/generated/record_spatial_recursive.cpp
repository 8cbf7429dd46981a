#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/generated/traced_kernels.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"

namespace hamiltree {

template class Recursive<Spatial<Traced>>;

namespace generated {

Recorded record_spatial_recursive(const Model& model, const StateView& start,
                                  const RecordOptions& options) {
  return Recorder<Recursive, Spatial<double>>::of(model, start, options);
}

}  // namespace generated
}  // namespace hamiltree
