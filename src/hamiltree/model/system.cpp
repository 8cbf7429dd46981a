#include "hamiltree/model/system.hpp"

namespace hamiltree {

template struct System<Planar<double>>;
template struct System<Spatial<double>>;

}  // namespace hamiltree
