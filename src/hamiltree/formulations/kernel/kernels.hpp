// Kernels on tables, compiled for every instruction set. An evaluation goes place - velocities -
// momentum_rates.
#pragma once

#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree {
class Pack;
}

namespace hamiltree::kernel {

template <class Number>
struct KernelsIn {
  using Pass = void(const Tables&, const ArraysIn<Number>&, WorkIn<Number>&);
  Pass* place;
  Pass* velocities;  // v, q_dot and sigma, unless work.held says that these are not to be had so
  Pass* momentum_rates;
};
using Kernels = KernelsIn<double>;  // of one state
using StateKernels = KernelsIn<Pack>;

// Kernels of the best set that this machine has.
const Kernels& kernels();
// Null where there are none for it.
const StateKernels* state_kernels();

}  // namespace hamiltree::kernel
