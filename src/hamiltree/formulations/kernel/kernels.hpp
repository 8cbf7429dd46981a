// Kernels on tables, compiled for every instruction set. An evaluation goes place - velocities -
// momentum_rates.
#pragma once

#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

struct Kernels {
  using Pass = void(const Tables&, const Arrays&, Work&);
  Pass* place;
  Pass* velocities;  // v, q_dot and sigma, unless work.held says that some loop cannot close so
  Pass* momentum_rates;
};

// Kernels of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::kernel
