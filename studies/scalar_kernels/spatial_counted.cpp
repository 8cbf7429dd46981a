#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

template class Recursive<Spatial<Counted>>;
template class Hdca<Spatial<Counted>>;

}  // namespace hamiltree
