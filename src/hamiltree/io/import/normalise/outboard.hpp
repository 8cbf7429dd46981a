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

  // Along the coordinate of a joint with one degree of freedom, its armature included. kg m^2 or
  // kg.
  double inertia(const JointDescription& joint) const;

 private:
  std::vector<BodyDescription> wholes_;
  std::unordered_map<std::string, std::size_t> bodies_;
};

}  // namespace hamiltree
