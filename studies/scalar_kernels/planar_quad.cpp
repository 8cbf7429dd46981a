#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template class Recursive<Planar<Quad>>;
template class Hdca<Planar<Quad>>;

}  // namespace hamiltree
