// The divide-and-conquer algorithm of Featherstone on (q, v), which [Chadaj2017] compares with: the
// assembly and disassembly of the hdca with forces; redundant and lost rows of loops are left out,
// as a pseudo-inverse does.
#pragma once

#include "hamiltree/formulations/block_elimination/acceleration_level.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree {

template <class Space>
class Dca : public AccelerationLevel<Hdca<Space>, Space> {
 public:
  static constexpr const char* kName = "dca";
  using AccelerationLevel<Hdca<Space>, Space>::AccelerationLevel;
};

}  // namespace hamiltree
