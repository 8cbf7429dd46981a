// Uniqueness: which components of the reactions redundant constraints leave undetermined. The
// motion does not depend on them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// One joint, along the axes of its own frame J; of a planar one only force x, y and moment z.
struct UniqueReaction {
  std::array<bool, 3> force{true, true, true};
  std::array<bool, 3> moment{true, true, true};
  bool drive = true;  // the effort of a driven joint

  // "force z", "moment x", "drive": those that are not.
  std::vector<std::string> not_unique() const;
};

// By joint (Model's order), at a state whose u is not read. A component is unique if no set of
// impulses that the rows of cuts and couplings can carry without moving anything has a part in it.
// Costs one velocity solve per row; with nothing redundant, none.
std::vector<UniqueReaction> unique_reactions(const Model& model, const Formulation& formulation,
                                             const Redundancy& redundancy, const StateView& state,
                                             Workspace& workspace);

}  // namespace hamiltree
