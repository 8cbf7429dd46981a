// The choices of an acceleration-level kernel: those of the momentum-level kernel whose factors it
// uses.
#pragma once

#include <vector>

#include "hamiltree/formulations/block_elimination/choices.hpp"

namespace hamiltree {

template <class Level, class Kernel>
struct MomentumLevelChoices {
  using Choices = LoopChoices<Kernel>;
  using Work = typename Level::Work;

  static Redundancy analyse(const Level& level, const StateView& state, Work& work) {
    return Choices::analyse(level.momentum_level(), state, work);
  }
  static bool prepare(const Level& level, const StateView& state, Work& work) {
    return Choices::prepare(level.momentum_level(), state, work);
  }
  static std::vector<int> singular_joints(const Level& level, const Work& work) {
    return Choices::singular_joints(level.momentum_level(), work);
  }
  static double least_pivot(const Level& level, const Work& work) {
    return Choices::least_pivot(level.momentum_level(), work);
  }
  static void lower_mask(double share, Work& work) { Choices::lower_mask(share, work); }
};

}  // namespace hamiltree
