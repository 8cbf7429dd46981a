// Sums of states in steps of explicit methods, compiled for every instruction set: beside fast
// rates they would take a tenth of a step.
#pragma once

#include <cstddef>

namespace hamiltree::sums {

struct Kernels {
  // z = sum c_k x_k over k < count, at least one, added in their order; z may be x_0.
  void (*combine)(std::size_t n, int count, const double* c, const double* const* x, double* z);
};

// Kernels of the best set that this machine has.
const Kernels& kernels();

}  // namespace hamiltree::sums
