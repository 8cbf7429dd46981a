// Choices of the recursive formulation outside the hot path; compiled once, in recursive.cpp.
#pragma once

#include "hamiltree/formulations/block_elimination/choices.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Recursive<Space>> : LoopChoices<Recursive<Space>> {};

extern template struct LoopChoices<Recursive<Planar<double>>>;
extern template struct LoopChoices<Recursive<Spatial<double>>>;

}  // namespace hamiltree
