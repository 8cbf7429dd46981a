#include "hamiltree/forces/power.hpp"

namespace hamiltree {

template ForcePower<double> power(const System<Planar<double>>&, const Kinematics<Planar<double>>&,
                                  const double&, const double*);
template ForcePower<double> power(const System<Spatial<double>>&,
                                  const Kinematics<Spatial<double>>&, const double&, const double*);

}  // namespace hamiltree
