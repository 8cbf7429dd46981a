// The tables of a mechanism with its loops open: joints that close loops and couplings hold
// nothing.
#pragma once

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Space>
System<Space> opened(System<Space> system) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    system.joints[at(c)].constraints = 0;
    system.joints[at(c)].row = 0;
  }
  system.couplings.clear();
  system.row_scales.clear();
  system.constraints = 0;
  return system;
}

}  // namespace hamiltree
