// One evaluation of a linkage in parts.
#pragma once

#include <vector>

#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/formulations/planar_loops/kernels.hpp"

namespace hamiltree::planar_loops {

// After momentum_rates: in all lanes.
bool all_finite(const Work<Pack>& work);

struct PartsWork {
  explicit PartsWork(const LinkageInParts& linkage);

  std::vector<Work<Pack>> lane_groups;
  Work<double> rest;
};

// v and sigma. False if some cut cannot close while the hub is held: nothing is found then.
bool find_velocities(const Kernels& kernels, const LinkageInParts& linkage, const Arrays& state,
                     PartsWork& work);

// p_dot, after find_velocities(). False if a rate is not finite.
bool find_momentum_rates(const Kernels& kernels, const LinkageInParts& linkage, const Arrays& state,
                         PartsWork& work);

// Under gravity, after find_momentum_rates(), J.
double potential_energy(const LinkageInParts& linkage, const PartsWork& work);

// Cuts, joints of the model, of which a pivot was masked.
std::vector<int> masked_cuts(const LinkageInParts& linkage, const PartsWork& work);

// The smallest pivot of a front, of its largest; 0 where one was masked.
double least_pivot(const LinkageInParts& linkage, const PartsWork& work);

}  // namespace hamiltree::planar_loops
