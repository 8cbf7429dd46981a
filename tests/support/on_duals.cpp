#include "support/on_duals.hpp"

namespace hamiltree {

template System<Planar<Dual>> System<Planar<double>>::cast<Dual>() const;
template Kinematics<Planar<Dual>>::Kinematics(const System<Planar<Dual>>&);
template void place(const System<Planar<Dual>>&, const Dual&, const Dual*,
                    Kinematics<Planar<Dual>>&);
template void move(const System<Planar<Dual>>&, const Dual*, Kinematics<Planar<Dual>>&);
template void momenta(const System<Planar<Dual>>&, Kinematics<Planar<Dual>>&, Dual*);
template Dual kinetic_energy(const System<Planar<Dual>>&, const Kinematics<Planar<Dual>>&);
template System<Spatial<Dual>> System<Spatial<double>>::cast<Dual>() const;
template Kinematics<Spatial<Dual>>::Kinematics(const System<Spatial<Dual>>&);
template void place(const System<Spatial<Dual>>&, const Dual&, const Dual*,
                    Kinematics<Spatial<Dual>>&);
template void move(const System<Spatial<Dual>>&, const Dual*, Kinematics<Spatial<Dual>>&);
template void momenta(const System<Spatial<Dual>>&, Kinematics<Spatial<Dual>>&, Dual*);
template Dual kinetic_energy(const System<Spatial<Dual>>&, const Kinematics<Spatial<Dual>>&);

}  // namespace hamiltree
