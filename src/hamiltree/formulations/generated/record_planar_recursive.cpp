#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/generated/traced_kernels.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"

namespace hamiltree {

template class Recursive<Planar<Traced>>;

namespace generated {

Recorded record_planar_recursive(const Model& model, const StateView& start,
                                 const RecordOptions& options) {
  return Recorder<Recursive, Planar<double>>::of(model, start, options);
}

}  // namespace generated
}  // namespace hamiltree
