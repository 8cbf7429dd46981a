#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

template Kinematics<Planar<double>>::Kinematics(const System<Planar<double>>&);
template Kinematics<Spatial<double>>::Kinematics(const System<Spatial<double>>&);
template void place(const System<Planar<double>>&, const double&, const double*,
                    Kinematics<Planar<double>>&);
template void move(const System<Planar<double>>&, const double*, Kinematics<Planar<double>>&);
template void coordinate_rates(const System<Planar<double>>&, const double*, const double*,
                               double*);
template void normalise_coordinates(const System<Planar<double>>&, double*);
template void momenta(const System<Planar<double>>&, Kinematics<Planar<double>>&, double*);
template double kinetic_energy(const System<Planar<double>>&, const Kinematics<Planar<double>>&);
template void place(const System<Spatial<double>>&, const double&, const double*,
                    Kinematics<Spatial<double>>&);
template void move(const System<Spatial<double>>&, const double*, Kinematics<Spatial<double>>&);
template void coordinate_rates(const System<Spatial<double>>&, const double*, const double*,
                               double*);
template void normalise_coordinates(const System<Spatial<double>>&, double*);
template void momenta(const System<Spatial<double>>&, Kinematics<Spatial<double>>&, double*);
template double kinetic_energy(const System<Spatial<double>>&, const Kinematics<Spatial<double>>&);

}  // namespace hamiltree
