#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template System<Planar<Counted>> System<Planar<double>>::cast<Counted>() const;
template class Recursive<Planar<Counted>>;
template class Hdca<Planar<Counted>>;

}  // namespace hamiltree
