// Choices of the hdca formulation outside the hot path; compiled once, in hdca.cpp.
#pragma once

#include "hamiltree/formulations/block_elimination/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Hdca<Space>> : LoopChoices<Hdca<Space>> {};

extern template struct LoopChoices<Hdca<Planar<double>>>;
extern template struct LoopChoices<Hdca<Spatial<double>>>;

}  // namespace hamiltree
