// Loops of independent multiply-adds, for the peak of a core.
#pragma once

namespace hamiltree::benchmarks {

struct MultiplyAdd {
  double (*run)() = nullptr;
  double flops = 0.0;  // of one run: additions and multiplications
  int lanes = 1;
};

MultiplyAdd scalar_multiply_add();
// In the widest lanes of this processor.
MultiplyAdd widest_multiply_add();

}  // namespace hamiltree::benchmarks
