#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template void position_residual(const System<Planar<double>>&, const Kinematics<Planar<double>>&,
                                const double*, double*);
template void velocity_residual(const System<Planar<double>>&, const Kinematics<Planar<double>>&,
                                double*);
template void position_residual(const System<Spatial<double>>&, const Kinematics<Spatial<double>>&,
                                const double*, double*);
template void velocity_residual(const System<Spatial<double>>&, const Kinematics<Spatial<double>>&,
                                double*);

}  // namespace hamiltree
