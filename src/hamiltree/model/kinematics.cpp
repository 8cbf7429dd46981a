#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

HAMILTREE_KINEMATICS(, Planar<double>)
HAMILTREE_KINEMATICS(, Spatial<double>)

}  // namespace hamiltree
