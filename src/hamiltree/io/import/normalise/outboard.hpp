// The inertia that a joint moves, as stops go by it.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The inertia of all that hangs on each body, in its frame. A body hangs on the parent of the first
// joint that has it as its child; where joints are parents of each other, nothing is outboard of
// them.
class Outboard {
 public:
  // With all coordinates zero.
  explicit Outboard(const Mechanism& mechanism);

  // Along the coordinate of a joint with one degree of freedom, or the largest about an axis of a
  // spherical one's frame; its armature included. kg m^2 or kg.
  double inertia(const JointDescription& joint) const;

  // Of a body and all that hangs on it, kg; of the ground without bound.
  double mass(const std::string& body) const;

 private:
  std::vector<BodyDescription> wholes_;
  std::unordered_map<std::string, std::size_t> bodies_;
};

}  // namespace hamiltree
