// clang-format off
#include "hamiltree/base/without_packets.hpp"
// clang-format on
#include "hamiltree/forces/loads.hpp"

namespace hamiltree {

template void exert_forces(const Instant<Planar<double>>&, Loads<Planar<double>>*,
                           ForcePower<double>*);
template double stored_energies(const Instant<Planar<double>>&);
template void exert_forces(const Instant<Spatial<double>>&, Loads<Spatial<double>>*,
                           ForcePower<double>*);
template double stored_energies(const Instant<Spatial<double>>&);

}  // namespace hamiltree
