// One evaluation of a tree of pins, whatever it is cut into.
#pragma once

#include "hamiltree/base/pool.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {

// False if a result is not finite. A pool shares the stretches of a chain; null: the caller does
// them all; it has no more threads than the work. What each computes and the order of the joins are
// the same, and so is every bit.
bool evaluate(const Kernels& kernels, const Tree& tree, const Request<double>& asked,
              TreeWork& work, Pool* pool = nullptr);

}  // namespace hamiltree::screws
