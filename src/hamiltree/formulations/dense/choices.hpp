// Choices of the dense formulation outside the hot path: the rank of the loops at one pose.
#pragma once

#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/dense/dense.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Dense<Space>> : DefaultChoices<Dense<Space>> {
  static Redundancy analyse(const Dense<Space>& kernel, const StateView& state,
                            typename Dense<Space>::Work& work) {
    const auto& system = kernel.system();
    const std::vector<double> at_rest(at(system.velocities), 0.0);
    kernel.velocities(state.t, state.q, at_rest.data(), nullptr, work);
    work.augmented.analysed_rank = work.augmented.rank;
    return {system.constraints, system.constraints - work.augmented.rank};
  }
  static double least_pivot(const Dense<Space>&, const typename Dense<Space>::Work& work) {
    const auto& augmented = work.augmented;
    if (augmented.rank < augmented.analysed_rank) return 0.0;
    if (augmented.rank == 0) return 1.0;
    const auto& pivots = augmented.svd.singularValues();
    return pivots(augmented.rank - 1) / pivots(0);
  }
};

}  // namespace hamiltree
