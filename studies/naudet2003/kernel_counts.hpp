// Operations of one evaluation of a kernel.
#pragma once

#include <cstddef>

#include "hamiltree/math/operation_count.hpp"
#include "hamiltree/model/model.hpp"
#include "studies/naudet2003/chains.hpp"

namespace hamiltree::naudet2003 {

struct KernelCounts {
  OperationCount run;     // what the kernel executes, products with zeros included
  OperationCount needed;  // what the results need: constants folded, equal terms shared
  std::size_t depth = 0;  // of what is needed: operations one after the other, at best
};

// (q, p) -> (qdot, pdot) of Recursive, the same in DH frames, which formulation `recursive`
// takes for trees of revolute joints, and (q, v) -> vdot of Aba, of a spatial chain.
KernelCounts recursive_counts(const Model& model);
KernelCounts dh_counts(const Model& model, Loads loads);
KernelCounts aba_counts(const Model& model);

}  // namespace hamiltree::naudet2003
