// Compiled once for each instruction set, with HAMILTREE_SET its name.
#include "hamiltree/base/inline_all.hpp"

HAMILTREE_INLINE_ALL_BEGIN

#include "hamiltree/integrators/linear_combination.hpp"
#include "hamiltree/integrators/sum_kernel_sets.hpp"

namespace hamiltree::sums {
namespace {

HAMILTREE_FLAT void combine(std::size_t n, int count, const double* c, const double* const* x,
                            double* z) {
  linear_combination(
      n, count, c, [x](int k) { return x[k]; }, z);
}

}  // namespace

const Kernels HAMILTREE_SET{combine};

}  // namespace hamiltree::sums

HAMILTREE_INLINE_ALL_END
