#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template System<Planar<Quad>> System<Planar<double>>::cast<Quad>() const;
template class Recursive<Planar<Quad>>;
template class Hdca<Planar<Quad>>;

}  // namespace hamiltree
