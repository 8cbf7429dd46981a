// Rows: which constraint rows of a join that closes loops are independent. The rank is found once,
// on the manifold; the rows are chosen by pivoting at step boundaries and held through the step,
// because choosing them at every evaluation costs many times the steps.
#pragma once

#include <vector>

#include "hamiltree/formulations/hdca/front.hpp"

namespace hamiltree::hdca {

// On the manifold kept pivots are measured above 1e-6 of the largest, dropped ones below 1e-10.
inline constexpr double kRankGap = 1e-8;

// Chooses rows of the assembled, not yet eliminated front by complete pivoting on the scaled
// diagonal: as many as `rank`, or as many as stand above the gap if rank is kNone. Returns how many
// stood above the gap. Scratch memory is the caller's.
int choose_rows(Front<double>& front, int rank, std::vector<double>& scratch);

}  // namespace hamiltree::hdca
