// The vector operations of SUNDIALS that a step spends its time in. Debian's serial vectors do them
// one number and one term of a sum at a time; these take whole packs of numbers and four terms in
// one pass, added in the same order, so that the results are the same bits.
#pragma once

#include <nvector/nvector_serial.h>

namespace hamiltree::sundials {

// Operations of the vector, and so of its clones.
void use_own_operations(N_Vector vector);

}  // namespace hamiltree::sundials
