// One evaluation of a tree of revolutes, whatever it is cut into.
#pragma once

#include "hamiltree/base/pool.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"

namespace hamiltree::dh_frames {

// False if a result is not finite. A pool shares the chain blocks of a chain; null: the caller does
// them all; it has no more threads than the work. What each computes and the order of the joins are
// the same, and so is every bit.
bool evaluate(const Kernels& kernels, const Tree& tree, const Request<double>& asked,
              TreeWork& work, Pool* pool = nullptr);

}  // namespace hamiltree::dh_frames
