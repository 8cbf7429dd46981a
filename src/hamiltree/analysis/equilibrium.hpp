// Equilibrium: a pose at which a Model rests, loops closed and forces in balance, and whether it
// stays there.
#pragma once

#include <functional>

#include "hamiltree/analysis/linearize.hpp"

namespace hamiltree::analysis {

struct Equilibrium {
  Linearization linear;  // at the pose; linear.q are its coordinates
  int steps = 0;
  double unbalanced = 0.0;   // the largest generalized force that is left, N or N m
  double growth = 0.0;       // 1/s, of the fastest growing motion beside it; below 0 all die out
  bool stable = false;       // nothing grows, but for rounding
  bool indifferent = false;  // some motions neither grow nor come back, to rounding
};

// From a pose, in the direction in which forces push it, at the time of the pose, by Newton's
// method within a trust region; so it ends at a stable equilibrium where forces have a potential,
// unless it starts at another one. Throws UsageError where a drive moves at this time, and
// SimulationError where none is found. on_step() is called before each step; what it throws ends
// the search.
Equilibrium equilibrium(ModelAtPose& pose, const std::function<void()>& on_step = {});

}  // namespace hamiltree::analysis
