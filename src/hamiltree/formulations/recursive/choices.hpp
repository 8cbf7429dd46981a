// Choices of the recursive formulation outside the hot path; compiled once, in recursive.cpp.
#pragma once

#include "hamiltree/formulations/block_elimination/choices.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Recursive<Space>> : LoopChoices<Recursive<Space>> {
  // Refined solutions keep their digits down to smaller pivots. With a mask of 1e-11 of the trace,
  // runs that pass singular poses with masked pivots err by a hundred times as much.
  static bool refine(bool refines, typename Recursive<Space>::Work& work) {
    constexpr double kMaskShare = 0x1p-4;
    if (refines == work.refines) return refines;
    for (auto& front : work.fronts) front.mask *= refines ? kMaskShare : 1.0 / kMaskShare;
    work.refines = refines;
    return refines;
  }
};

extern template struct LoopChoices<Recursive<Planar<double>>>;
extern template struct LoopChoices<Recursive<Spatial<double>>>;

}  // namespace hamiltree
