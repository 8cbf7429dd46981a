#include "hamiltree/formulations/block_elimination/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::block_elimination {
namespace {

// Of rows that are alike, such as those of two parallel hinges, the first is taken, so that
// rounding does not choose another one at every step: methods of several steps begin anew where
// rows change.
constexpr double kLarger = 1.0 + 1e-6;
constexpr double kBesideBallast = 1e-11;  // of its pivots: what rounding leaves of others

}  // namespace

double least_pivot(const Front<double>& front) {
  double largest = front.largest_pivot;
  double smallest = std::numeric_limits<double>::infinity();
  for (const int i : front.order) {
    if (i < front.yielding) continue;
    const auto k = at(i);
    if (front.inverse_pivot[k] == 0.0) return 0.0;
    const double pivot = front.scale[k] * front.scale[k] / front.inverse_pivot[k];
    if (pivot <= front.bare_mobility) largest = std::max(largest, pivot);
    smallest = std::min(smallest, pivot);
  }
  return smallest < largest ? smallest / largest : 1.0;
}

int choose_rows(Front<double>& front, int rank, double gap, std::vector<double>& scratch) {
  const int n = front.eliminated;
  const auto size = at(n);
  scratch.resize(size * size);
  const auto S = [&](int i, int j) -> double& { return scratch[at(i * n + j)]; };
  const auto scale = [&](int i) { return front.scale[at(i)]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) S(i, j) = scale(i) * front.xi(i, j) * scale(j);
  }

  front.order.resize(size);
  std::iota(front.order.begin(), front.order.end(), 0);
  const auto order = [&](int k) -> int& { return front.order[at(k)]; };
  const auto pivot = [&](int k) { return S(order(k), order(k)); };
  const auto eliminate = [&](int chosen) {
    const int j = order(chosen);
    for (int a = chosen + 1; a < n; ++a) {
      const int i = order(a);
      const double l = S(i, j) / S(j, j);
      for (int b = chosen + 1; b < n; ++b) S(i, order(b)) -= l * S(j, order(b));
    }
  };
  // Rows that yield are always there, and what they leave of the others is what counts.
  for (int i = 0; i < front.yielding; ++i) {
    S(i, i) += scale(i) * scale(i);
    eliminate(i);
  }
  double first = 0.0, largest = 0.0;
  int above_gap = front.yielding;
  int chosen = front.yielding;
  for (; chosen < n; ++chosen) {
    int best = chosen;
    for (int k = chosen + 1; k < n; ++k) {
      const double margin = order(k) < order(best) ? 1.0 / kLarger : kLarger;
      if (pivot(k) > margin * pivot(best)) best = k;
    }
    std::swap(order(chosen), order(best));
    const double d = pivot(chosen);
    if (chosen == front.yielding) first = d;
    if (largest == 0.0 && d <= front.bare_mobility) largest = d;
    const double least = std::max({gap * largest, kBesideBallast * first, front.floor});
    if (d > least && above_gap == chosen) ++above_gap;
    const int wanted = rank == kNone ? above_gap : rank;
    if (chosen >= wanted || !(d > 0.0)) break;
    eliminate(chosen);
  }
  front.largest_pivot = largest > 0.0 ? largest : first;
  // A pose may show fewer positive pivots than the rank: the rows are used all the same, and the
  // pivot mask decides at every evaluation.
  front.order.resize(at(rank == kNone ? above_gap : rank));
  return above_gap;
}

}  // namespace hamiltree::block_elimination
