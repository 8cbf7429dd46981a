// The articulated-body algorithm on (q, v), its loops closed by multipliers: the sweeps of the
// recursive algorithm with forces.
#pragma once

#include "hamiltree/formulations/block_elimination/acceleration_level.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree {

template <class Space>
class Aba : public AccelerationLevel<Recursive<Space>, Space> {
 public:
  static constexpr const char* kName = "aba";
  using AccelerationLevel<Recursive<Space>, Space>::AccelerationLevel;
};

}  // namespace hamiltree
