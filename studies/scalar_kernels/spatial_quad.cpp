#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template class Recursive<Spatial<Quad>>;
template class Hdca<Spatial<Quad>>;

}  // namespace hamiltree
