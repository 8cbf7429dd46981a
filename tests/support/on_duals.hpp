// Systems on dual numbers and their motions, compiled once for all tests.
#pragma once

#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

extern template System<Planar<Dual>> System<Planar<double>>::cast<Dual>() const;
extern template Kinematics<Planar<Dual>>::Kinematics(const System<Planar<Dual>>&);
extern template void place(const System<Planar<Dual>>&, const Dual&, const Dual*,
                           Kinematics<Planar<Dual>>&);
extern template void move(const System<Planar<Dual>>&, const Dual*, Kinematics<Planar<Dual>>&);
extern template void momenta(const System<Planar<Dual>>&, Kinematics<Planar<Dual>>&, Dual*);
extern template Dual kinetic_energy(const System<Planar<Dual>>&, const Kinematics<Planar<Dual>>&);
extern template System<Spatial<Dual>> System<Spatial<double>>::cast<Dual>() const;
extern template Kinematics<Spatial<Dual>>::Kinematics(const System<Spatial<Dual>>&);
extern template void place(const System<Spatial<Dual>>&, const Dual&, const Dual*,
                           Kinematics<Spatial<Dual>>&);
extern template void move(const System<Spatial<Dual>>&, const Dual*, Kinematics<Spatial<Dual>>&);
extern template void momenta(const System<Spatial<Dual>>&, Kinematics<Spatial<Dual>>&, Dual*);
extern template Dual kinetic_energy(const System<Spatial<Dual>>&, const Kinematics<Spatial<Dual>>&);

}  // namespace hamiltree
