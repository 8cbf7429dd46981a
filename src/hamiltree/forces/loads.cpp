#include "hamiltree/forces/loads.hpp"

namespace hamiltree {

template void evaluate_loads(const System<Planar<double>>&, const Kinematics<Planar<double>>&,
                             const double&, const double*, Loads<Planar<double>>&);
template double potential_energy(const System<Planar<double>>&, const Kinematics<Planar<double>>&,
                                 const double*);
template void evaluate_loads(const System<Spatial<double>>&, const Kinematics<Spatial<double>>&,
                             const double&, const double*, Loads<Spatial<double>>&);
template double potential_energy(const System<Spatial<double>>&, const Kinematics<Spatial<double>>&,
                                 const double*);

}  // namespace hamiltree
