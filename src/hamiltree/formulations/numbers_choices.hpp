// NumbersChoices: a formulation that can tell whether its rows in use may have changed, so that who
// knows them need not find them again. A Formulation that can derives from it too.
#pragma once

#include <cstdint>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

class NumbersChoices {
 public:
  virtual ~NumbersChoices() = default;

  // The number of the choice of rows in use, but for pivots that are masked in some pose: another
  // one for each choice of each Workspace. 0: not known.
  virtual std::uint64_t choice(const Workspace& workspace) const = 0;
};

// A number that was not given before in this process.
std::uint64_t next_choice();

}  // namespace hamiltree
