// Which joints of the tree close a loop.
#pragma once

#include <vector>

#include "hamiltree/model/system.hpp"

namespace hamiltree {

// Joints of the tree that a joint's coordinate, or the loop that it closes, depends on: itself, or
// those between the two bodies of a cut.
template <class Space>
std::vector<int> tree_joints(const System<Space>& system, int joint) {
  if (!system.joint(joint).is_cut()) return {joint};
  std::vector<int> joints;
  // A body has a larger number than the one that it hangs on; the ground has kNone, the least.
  for (int a = system.joint(joint).parent, b = system.joint(joint).child; a != b;) {
    int& outer = a > b ? a : b;
    joints.push_back(outer);
    outer = system.inboard(outer);
  }
  return joints;
}

}  // namespace hamiltree
