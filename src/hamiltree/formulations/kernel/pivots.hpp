// The pivots of closed rows at the last evaluation.
#pragma once

#include <vector>

#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::kernel {

// Cuts, joints of the model's tables, of which a pivot was masked.
std::vector<int> masked_joints(const Tables& tables, const Work& work);

// The smallest pivot of rows that close together, of the largest, now or when the tables were made;
// 0 where one was masked.
double least_pivot(const Tables& tables, const Work& work);
Pack least_pivot(const Tables& tables, const WorkIn<Pack>& work);

// Later evaluations compare with the pivots of this one.
void set_references(const Tables& tables, Work& work);
// With the same pivots as those of one state.
void take_references(const Work& from, WorkIn<Pack>& to);

}  // namespace hamiltree::kernel
