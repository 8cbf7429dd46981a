// Kernels on linkages, compiled for every instruction set. An evaluation goes
//   place - contract_bodies - contract_over_ground - move - momentum_rates
// or ends with momenta, those without impulses in the cuts. Where there are several parts, these
// tell each other at the dashes what they share.
#pragma once

#include "hamiltree/formulations/planar_loops/linkage.hpp"

namespace hamiltree::planar_loops {

template <class T>
struct KernelsOf {
  using Pass = void(const Linkage<T>&, const Arrays&, Work<T>&);
  Pass *place, *contract_bodies, *contract_over_ground, *move, *momentum_rates, *momenta;
};

struct Kernels {
  KernelsOf<double> one;
  KernelsOf<Pack> eight;
};

// Kernels of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::planar_loops
