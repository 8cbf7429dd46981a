#include "hamiltree/forces/in_joint.hpp"

namespace hamiltree {

template Planar<double>::Force force_in_joint(const System<Planar<double>>&,
                                              const Kinematics<Planar<double>>&, int);
template Spatial<double>::Force force_in_joint(const System<Spatial<double>>&,
                                               const Kinematics<Spatial<double>>&, int);

}  // namespace hamiltree
