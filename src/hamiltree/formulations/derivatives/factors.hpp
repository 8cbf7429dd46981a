// Elimination of K = [M A^T; A 0], its entries by pack and its zeros known, and solutions with many
// right-hand sides in packs. With d the pivots and U what is left of each row when its unknown is
// eliminated, which stays in place,
//   K = U^T d^-1 U
#pragma once

#include <utility>

#include "hamiltree/formulations/derivatives/products.hpp"
#include "hamiltree/formulations/kernel/lanes.hpp"

namespace hamiltree::derivatives {

// How many packs of one to three rows go together, to stay in registers.
constexpr int kMostPacks = 6;

// Packs from `begin` on in equal shares of at most kMost.
template <int kMost, class F>
inline void in_shares(int begin, int packs, const F& f) {
  const int shares = (packs + kMost - 1) / kMost;
  for (int share = 0, first = 0; share < shares; ++share) {
    const bool is_last = share + 1 == shares;  // most often the only one: nothing to divide
    const int count = is_last ? packs - first : (packs - first) / (shares - share);
    switch (count) {
      case 1:
        f.template operator()<1>(begin + first);
        break;
      case 2:
        f.template operator()<2>(begin + first);
        break;
      case 3:
        f.template operator()<3>(begin + first);
        break;
      case 4:
        f.template operator()<4>(begin + first);
        break;
      case 5:
        f.template operator()<5>(begin + first);
        break;
      default:
        f.template operator()<6>(begin + first);
        break;
    }
    first += count;
  }
}

// Some packs of a row of K, less the shares of the rows before it.
template <int kPacks>
inline void eliminate_earlier(const Elimination& plan, const Elimination::Step& step,
                              const int* packs, Work& work) {
  const Lanes* from[kPacks];
  Pack sum[kPacks];
  for (int k = 0; k < kPacks; ++k) {
    from[k] = work.K.row(0) + packs[k];
    sum[k] = pack_of(from[k][step.row]);
  }
  const double* entries = work.K.entries(0) + step.unknown;
  const double* inverse = work.inverse.data();
  const Elimination::Earlier* earlier = plan.earlier.data();
  for (int i = step.first_earlier; i < step.end_earlier; ++i) {
    const auto [unknown, row] = earlier[i];
    const Pack share = Pack(entries[kLaneCount * row]) * Pack(inverse[unknown]);
    for (int k = 0; k < kPacks; ++k) sum[k] -= share * pack_of(from[k][row]);
  }
  for (int k = 0; k < kPacks; ++k) store(sum[k], work.K.row(0)[step.row + packs[k]]);
}

// Row by row, with the state's right-hand sides. Entries of unknowns that are eliminated before
// their row's own are left as they come.
inline bool factor(const Elimination& plan, Work& work) {
  clear(plan.unset, work.K);
  for (const auto& [to, from] : plan.turned) work.K.entries(0)[to] = work.K.entries(0)[from];
  for (const auto& step : plan.steps) {
    if (step.first_earlier != step.end_earlier) {
      in_shares<4>(step.first_pack, step.end_pack - step.first_pack, [&]<int kPacks>(int first) {
        eliminate_earlier<kPacks>(plan, step, plan.packs.data() + first, work);
      });
    }
    const double inverse = 1.0 / work.K.entries(step.unknown)[step.unknown];
    if (!(inverse * inverse < 1e200)) return false;
    work.inverse[at(step.unknown)] = inverse;
  }
  return true;
}

// Backwards, to Work::primal. The unknown that was found last comes in last, for the next one waits
// for it.
inline void solve_primal(const Elimination& plan, const Tables& tables, Work& work) {
  constexpr int kParts = 4;  // or each term would wait for the last
  Lanes* x = work.primal.row(0);
  const int* later = plan.later.data();
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    const Lanes* row = work.K.row(step->unknown);
    const Pack inverse(work.inverse[at(step->unknown)]);
    const auto share_of = [&](int i) {
      return Pack(row->lane[later[i]]) * inverse * pack_of(x[later[i]]);
    };
    Pack sum[kParts] = {};
    int i = step->end_later - 1;
    for (; i - kParts >= step->first_later; i -= kParts)
      for (int part = 0; part < kParts; ++part) sum[part] += share_of(i - part);
    for (; i > step->first_later; --i) sum[0] += share_of(i);
    Pack found =
        pack_of(row[tables.right_pack()]) * inverse - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (i == step->first_later) found -= share_of(i);
    store(found, x[step->unknown]);
  }
}

// kPacks packs of one unknown or two, from `first` on, less the shares of others. Forwards what is
// left of the first goes into the second, backwards the second's solution into the first.
template <int kPacks, int kUnknowns, bool kBackwards>
inline void solve_block(const Elimination& plan, const Elimination::Block& block, int first,
                        Work& work) {
  constexpr int kParts = kPacks < 3 ? 2 : 1;  // or each term would wait for the last
  Lanes* x = work.X.row(0) + first;
  const double* K = work.K.entries(0);
  const Elimination::Term* terms = plan.terms.data();
  Pack sum[kUnknowns][kParts][kPacks];
  for (int u = 0; u < kUnknowns; ++u) {
    const Lanes* row = x + block.row[at(u)];
    for (int part = 0; part < kParts; ++part)
      for (int k = 0; k < kPacks; ++k)
        sum[u][part][k] = kBackwards || part > 0 ? Pack(0.0) : pack_of(row[k]);
  }
  const auto take_off = [&](int begin, int end, auto... unknowns) {
    const auto take = [&](int i, int part) {
      const auto& term = terms[i];
      const Lanes* from = x + term.row;
      const auto from_one = [&](int u) {
        const Pack share(K[term.entry[at(u)]]);
        for (int k = 0; k < kPacks; ++k) sum[u][part][k] -= share * pack_of(from[k]);
      };
      (from_one(unknowns), ...);
    };
    int i = begin;
    for (; i + kParts <= end; i += kParts)
      for (int part = 0; part < kParts; ++part) take(i + part, part);
    for (; i < end; ++i) take(i, 0);
  };
  if constexpr (kUnknowns == 2) {
    take_off(block.first_shared, block.first_of_first, 0, 1);
    take_off(block.first_of_second, block.end, 1);
  }
  take_off(block.first_of_first, block.first_of_second, 0);
  for (int n = 0; n < kUnknowns; ++n) {
    const int u = kBackwards ? kUnknowns - 1 - n : n;
    Lanes* row = x + block.row[at(u)];
    const Pack inverse(work.inverse[at(block.unknown[at(u)])]);
    const Pack between(n == 1 ? K[block.between] : 0.0);
    for (int k = 0; k < kPacks; ++k) {
      Pack& own = sum[u][0][k];
      for (int part = 1; part < kParts; ++part) own += sum[u][part][k];
      if (n == 1) own -= between * sum[1 - u][0][k];
      own = kBackwards ? pack_of(row[k]) + own * inverse : own * inverse;
      store(own, row[k]);
    }
  }
}

template <bool kBackwards>
inline void solve_blocks(const Elimination& plan, const std::vector<Elimination::Block>& blocks,
                         Work& work) {
  for (const auto& block : blocks) {
    in_shares<kMostPacks>(block.first_pack, block.packs, [&]<int kPacks>(int first) {
      if (block.unknowns == 2) {
        solve_block<kPacks, 2, kBackwards>(plan, block, first, work);
      } else {
        solve_block<kPacks, 1, kBackwards>(plan, block, first, work);
      }
    });
  }
}

// rates += d(rates)/d(x) x of the unknowns x, for some axes. What is not finite spoils `zero`.
template <int kPacks, int kAxes>
inline void finish_rates(const Elimination::Rates& rates, const Tables& tables, int first,
                         Work& work, Pack& zero) {
  Pack sum[kAxes][kPacks];
  const double* slopes[kAxes];
  const int own = tables.q_packs - first;  // momenta have no share of their own
  for (int k = 0; k < kAxes; ++k) {
    slopes[k] = work.slopes.entries(0) + tables.axes[at(rates.first + k)].column;
    const Lanes* row = work.P_dot.row(rates.first + k) + first;
    for (int i = 0; i < kPacks; ++i) sum[k][i] = i < own ? pack_of(row[i]) : Pack(0.0);
  }
  const Lanes* X = work.X.row(0) + first;
  for (const auto& [row, slope] : rates.unknowns) {
    const Lanes* from = X + row;
    Pack x[kPacks];
    for (int i = 0; i < kPacks; ++i) x[i] = pack_of(from[i]);
    for (int k = 0; k < kAxes; ++k)
      for (int i = 0; i < kPacks; ++i) sum[k][i] += Pack(slopes[k][slope]) * x[i];
  }
  for (int k = 0; k < kAxes; ++k) {
    Lanes* row = work.P_dot.row(rates.first + k) + first;
    for (int i = 0; i < kPacks; ++i) {
      store(sum[k][i], row[i]);
      zero += sum[k][i] * Pack(0.0);
    }
  }
}

// For the axes that f takes. False if not all are finite.
template <int kPacks, class F>
inline bool finish_packs(const Elimination& plan, const Tables& tables, int first, const F& f,
                         Work& work) {
  Pack zero(0.0);
  for (const auto& rates : plan.rates) {
    if (!f(rates)) continue;
    switch (rates.axes) {
      case 1:
        finish_rates<kPacks, 1>(rates, tables, first, work, zero);
        break;
      case 2:
        finish_rates<kPacks, 2>(rates, tables, first, work, zero);
        break;
      default:
        finish_rates<kPacks, 3>(rates, tables, first, work, zero);
        break;
    }
  }
  return sum_of_lanes(zero) == 0.0;
}

// In a tree without loads of its own d(pdot)/dp is what symplectic flows have, but for what efforts
// add:
//   d(pdot_k)/dp_j = -d(v_j)/dq_k      of coordinates whose rates are velocities
inline void transpose_rates(const Tables& tables, Work& work) {
  for (int pack = 0; pack < tables.q_packs; ++pack) {
    const auto X = work.X.column(pack);
    const int* to = tables.transposed_to.data() + kLaneCount * pack;
    for (int rows = 0; rows < tables.v_packs; ++rows) {
      kernel::Eight x[kLaneCount];
      for (int i = 0; i < kLaneCount; ++i) x[i] = load(X[kLaneCount * rows + i]);
      kernel::transpose(x);
      Lanes* P_dot = work.P_dot.row(0) + rows;
      for (int i = 0; i < kLaneCount; ++i) store(x[i] * -1.0, P_dot[to[i]]);
    }
  }
}

}  // namespace hamiltree::derivatives
