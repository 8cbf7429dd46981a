// The recursive algorithm in the plane, on double.
// clang-format off
#include "hamiltree/base/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree {

template class Recursive<Planar<double>>;

}  // namespace hamiltree
