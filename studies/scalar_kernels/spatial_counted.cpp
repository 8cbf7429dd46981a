#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template System<Spatial<Counted>> System<Spatial<double>>::cast<Counted>() const;
template class Recursive<Spatial<Counted>>;
template class Hdca<Spatial<Counted>>;

}  // namespace hamiltree
