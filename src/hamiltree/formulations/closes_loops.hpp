// ClosesLoops: a projection and a reset of a formulation's own, with which every step ends. A
// Formulation that has them derives from it too.
#pragma once

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

class ClosesLoops {
 public:
  virtual ~ClosesLoops() = default;

  // q after one Newton step onto the closed loops, with quaternions of length 1. False: not now.
  virtual bool project(const StateView& state, double* q, Workspace& workspace) const = 0;
  // The momenta of the same motion without impulses in the loops. False: not now.
  virtual bool reset(const StateView& state, double* p, Workspace& workspace) const = 0;
};

}  // namespace hamiltree
