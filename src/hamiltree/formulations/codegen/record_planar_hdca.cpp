#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template class Hdca<Planar<Traced>>;

namespace codegen {

Recorded record_planar_hdca(const Model& model, const StateView& start, bool pass) {
  return Recorder<Hdca, Planar<double>>::of(model, start, pass);
}

}  // namespace codegen
}  // namespace hamiltree
