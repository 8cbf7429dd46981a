#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template System<Spatial<Quad>> System<Spatial<double>>::cast<Quad>() const;
template class Recursive<Spatial<Quad>>;
template class Hdca<Spatial<Quad>>;

}  // namespace hamiltree
