// Eigen places its matrices, and takes and gives back their memory, as the instructions ask for
// that a source is compiled for, and the sanitizer of addresses: a vector that one source has made
// another one may read, or free, wrongly. A program that differs from the library in this is not
// linked.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// Defined only as the library is compiled.
template <int alignment, bool malloc_aligns>
void compile_this_for_the_instructions_and_sanitizers_of_hamiltree();

namespace {

[[gnu::used]] void (*const kSameLayout)() =
    &compile_this_for_the_instructions_and_sanitizers_of_hamiltree<
        EIGEN_MAX_STATIC_ALIGN_BYTES, EIGEN_MALLOC_ALREADY_ALIGNED != 0>;

}  // namespace
}  // namespace hamiltree
