// Systems and their loads on the tracing scalar; compiled once, in record_planar_hdca.cpp and
// record_spatial_hdca.cpp.
#pragma once

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/math/tracing.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

extern template System<Planar<Traced>> System<Planar<double>>::cast<Traced>() const;
extern template Kinematics<Planar<Traced>>::Kinematics(const System<Planar<Traced>>&);
extern template void place(const System<Planar<Traced>>&, const Traced&, const Traced*,
                           Kinematics<Planar<Traced>>&);
extern template void exert_forces(const Instant<Planar<Traced>>&, Loads<Planar<Traced>>*,
                                  ForcePower<Traced>*);
extern template Traced stored_energies(const Instant<Planar<Traced>>&);
extern template System<Spatial<Traced>> System<Spatial<double>>::cast<Traced>() const;
extern template Kinematics<Spatial<Traced>>::Kinematics(const System<Spatial<Traced>>&);
extern template void place(const System<Spatial<Traced>>&, const Traced&, const Traced*,
                           Kinematics<Spatial<Traced>>&);
extern template void exert_forces(const Instant<Spatial<Traced>>&, Loads<Spatial<Traced>>*,
                                  ForcePower<Traced>*);
extern template Traced stored_energies(const Instant<Spatial<Traced>>&);

}  // namespace hamiltree
