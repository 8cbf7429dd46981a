#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree::generated {

Recorded record_planar_hdca(const Model& model, const StateView& start, bool pass) {
  return Recorder<Hdca, Planar<double>>::of(model, start, pass);
}

}  // namespace hamiltree::generated
