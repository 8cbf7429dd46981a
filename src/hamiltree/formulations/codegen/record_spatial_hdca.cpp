#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template System<Spatial<Traced>> System<Spatial<double>>::cast<Traced>() const;
template Kinematics<Spatial<Traced>>::Kinematics(const System<Spatial<Traced>>&);
template void place(const System<Spatial<Traced>>&, const Traced&, const Traced*,
                    Kinematics<Spatial<Traced>>&);
template void exert_forces(const Instant<Spatial<Traced>>&, Loads<Spatial<Traced>>*,
                           ForcePower<Traced>*);
template Traced stored_energies(const Instant<Spatial<Traced>>&);
template class Hdca<Spatial<Traced>>;

namespace codegen {

Recorded record_spatial_hdca(const Model& model, const StateView& start,
                             const RecordOptions& options) {
  return Recorder<Hdca, Spatial<double>>::of(model, start, options);
}

}  // namespace codegen
}  // namespace hamiltree
