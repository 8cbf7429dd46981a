#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/generated/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template class Hdca<Planar<Traced>>;

namespace generated {

Recorded record_planar_hdca(const Model& model, const StateView& start,
                            const RecordOptions& options) {
  return Recorder<Hdca, Planar<double>>::of(model, start, options);
}

}  // namespace generated
}  // namespace hamiltree
