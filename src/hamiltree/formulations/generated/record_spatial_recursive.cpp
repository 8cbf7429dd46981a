// clang-format off
#include "hamiltree/formulations/recursive/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/generated/recorder.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree::generated {

Recorded record_spatial_recursive(const Model& model, const StateView& start, bool pass) {
  return Recorder<Recursive, Spatial<double>>::of(model, start, pass);
}

}  // namespace hamiltree::generated
