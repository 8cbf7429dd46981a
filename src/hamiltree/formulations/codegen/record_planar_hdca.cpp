#include "hamiltree/formulations/codegen/recorder.hpp"
#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"

namespace hamiltree {

template System<Planar<Traced>> System<Planar<double>>::cast<Traced>() const;
template Kinematics<Planar<Traced>>::Kinematics(const System<Planar<Traced>>&);
template void place(const System<Planar<Traced>>&, const Traced&, const Traced*,
                    Kinematics<Planar<Traced>>&);
template void exert_forces(const Instant<Planar<Traced>>&, Loads<Planar<Traced>>*,
                           ForcePower<Traced>*);
template Traced stored_energies(const Instant<Planar<Traced>>&);
template class Hdca<Planar<Traced>>;

namespace codegen {

Recorded record_planar_hdca(const Model& model, const StateView& start,
                            const RecordOptions& options) {
  return Recorder<Hdca, Planar<double>>::of(model, start, options);
}

}  // namespace codegen
}  // namespace hamiltree
