#include "hamiltree/math/eigen_layout.hpp"

namespace hamiltree {

template <int alignment, bool malloc_aligns>
void compile_this_for_the_instructions_and_sanitizers_of_hamiltree() {}

template void compile_this_for_the_instructions_and_sanitizers_of_hamiltree<
    EIGEN_MAX_STATIC_ALIGN_BYTES, EIGEN_MALLOC_ALREADY_ALIGNED != 0>();

}  // namespace hamiltree
