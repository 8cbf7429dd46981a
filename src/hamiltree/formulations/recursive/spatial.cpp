// The recursive algorithm in space, on double.
// clang-format off
#include "hamiltree/base/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree {

template class Recursive<Spatial<double>>;

}  // namespace hamiltree
