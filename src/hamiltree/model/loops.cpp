#include "hamiltree/model/loops.hpp"

namespace hamiltree {

HAMILTREE_LOOPS(, Planar<double>)
HAMILTREE_LOOPS(, Spatial<double>)

}  // namespace hamiltree
