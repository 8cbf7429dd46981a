// Rows: which constraint rows of a join that closes loops are independent. The rank is found once,
// on the manifold; the rows are chosen by pivoting at step boundaries and held through the step,
// because choosing them at every evaluation costs many times the steps.
#pragma once

#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/front.hpp"
#include "hamiltree/model/force_elements.hpp"

namespace hamiltree::block_elimination {

// On the manifold kept pivots are measured above 1e-6 of the largest, dropped ones below 1e-10.
inline constexpr double kRankGap = 1e-8;

// A choice of rows is worn when its smallest pivot falls below this part of the largest, now or
// when the rows were chosen.
inline constexpr double kWornPivot = 1e-3;

// The smallest pivot of the rows in use of a factored front, of the largest, now or when the rows
// were chosen: a row alone has no other to fall behind. 0 where one is masked.
double least_pivot(const Front<double>& front);

// Whether the rows in use of a factored front should be chosen anew.
inline bool is_worn(const Front<double>& front) { return least_pivot(front) < kWornPivot; }

// Chooses rows of the assembled, not yet eliminated front by complete pivoting on the scaled
// diagonal: as many as `rank`, or as many as stand above the gap, of the largest, if rank is kNone.
// Returns how many stood above the gap. Scratch memory is the caller's.
int choose_rows(Front<double>& front, int rank, double gap, std::vector<double>& scratch);

// Whether an assembly keeps the rows of its fronts or chooses them anew.
enum class RowChoice { kKeep, kChoose };

// Chooses the rows of front c of a kernel's Work, before it is eliminated, if it closes loops. Rows
// are chosen on double; a Work on another scalar is given those.
template <class Work>
void choose_rows(int c, Work& work) {
  auto& front = work.fronts[at(c)];
  if constexpr (std::is_same_v<decltype(front), Front<double>&>) {
    if (front.mask == 0.0) return;
    auto& known = work.ranks[at(c)];
    const int rank = choose_rows(front, known, work.rank_gap, work.scratch);
    if (known == kNone) known = rank;
  }
}

}  // namespace hamiltree::block_elimination
