#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template class Recursive<Planar<Counted>>;
template class Hdca<Planar<Counted>>;

}  // namespace hamiltree
