// Factors of K = [M A^T; A 0], its entries by pack and its zeros known, and solutions with many
// right-hand sides in packs:
//   K = L d L^T
#pragma once

#include "hamiltree/formulations/derivatives/products.hpp"
#include "hamiltree/formulations/kernel/lanes.hpp"

namespace hamiltree::derivatives {

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
      default:
        f.template operator()<5>(begin + first);
        break;
    }
    first += count;
  }
}

// Some packs of a row of K, less the shares of the rows before it.
template <int kPacks>
inline void eliminate_earlier(const Elimination& plan, const Elimination::Step& step,
                              const int* packs, Work& work) {
  Lanes* row = work.K.row(step.unknown);
  Pack sum[kPacks];
  for (int k = 0; k < kPacks; ++k) sum[k] = pack_of(row[packs[k]]);
  for (int i = step.first_earlier; i < step.end_earlier; ++i) {
    const auto [unknown, factor] = plan.earlier[at(i)];
    const Lanes* from = work.K.row(unknown);
    const Pack share(work.factors[at(factor)]);
    for (int k = 0; k < kPacks; ++k) sum[k] -= share * pack_of(from[packs[k]]);
  }
  for (int k = 0; k < kPacks; ++k) store(sum[k], row[packs[k]]);
}

// Row by row. Entries of unknowns that are eliminated before their row's own are left as they come.
inline bool factor(const Elimination& plan, Work& work) {
  for (const auto& step : plan.steps) {
    if (step.first_earlier != step.end_earlier) {
      in_shares<4>(step.first_pack, step.end_pack - step.first_pack, [&]<int kPacks>(int first) {
        eliminate_earlier<kPacks>(plan, step, plan.packs.data() + first, work);
      });
    }
    const double* entries = work.K.entries(step.unknown);
    const double inverse = 1.0 / entries[step.unknown];
    if (!(inverse * inverse < 1e200)) return false;
    work.inverse[at(step.unknown)] = inverse;
    for (int i = step.first_later; i < step.end_later; ++i)
      work.factors[at(i)] = entries[plan.later[at(i)]] * inverse;
  }
  return true;
}

// to -= the sum of f(i) x of some rows i. In few packs the sum is taken in several parts, or each
// of its terms would wait for the last.
template <int kPacks, class Row, class Factor>
inline void take_off(int begin, int end, const Row& row, const Factor& factor, Pack* to) {
  constexpr int kParts = kPacks == 1 ? 4 : kPacks < 4 ? 2 : 1;
  Pack sum[kParts][kPacks] = {};
  const auto add = [&](int i, Pack* part) {
    const Lanes* x = row(i);
    const Pack share(factor(i));
    for (int k = 0; k < kPacks; ++k) part[k] += share * pack_of(x[k]);
  };
  int i = begin;
  for (; i + kParts <= end; i += kParts)
    for (int part = 0; part < kParts; ++part) add(i + part, sum[part]);
  for (; i < end; ++i) add(i, sum[0]);
  for (int part = 0; part < kParts; ++part)
    for (int k = 0; k < kPacks; ++k) to[k] -= sum[part][k];
}

// kPacks packs of each row of x, from `first` on.
template <int kPacks>
inline void solve_packs(const Elimination& plan, const Work& work, int first, PackMatrix& x) {
  for (const auto& step : plan.steps) {
    if (step.first_earlier == step.end_earlier) continue;
    Lanes* row = x.row(step.unknown) + first;
    Pack sum[kPacks];
    for (int k = 0; k < kPacks; ++k) sum[k] = pack_of(row[k]);
    take_off<kPacks>(
        step.first_earlier, step.end_earlier,
        [&](int i) { return x.row(plan.earlier[at(i)].unknown) + first; },
        [&](int i) { return work.factors[at(plan.earlier[at(i)].factor)]; }, sum);
    for (int k = 0; k < kPacks; ++k) store(sum[k], row[k]);
  }
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    Lanes* row = x.row(step->unknown) + first;
    const Pack inverse(work.inverse[at(step->unknown)]);
    Pack sum[kPacks];
    for (int k = 0; k < kPacks; ++k) sum[k] = pack_of(row[k]) * inverse;
    take_off<kPacks>(
        step->first_later, step->end_later, [&](int i) { return x.row(plan.later[at(i)]) + first; },
        [&](int i) { return work.factors[at(i)]; }, sum);
    for (int k = 0; k < kPacks; ++k) store(sum[k], row[k]);
  }
}

// rates += d(rates)/d(x) x of the unknowns x, for one axis or two. What is not finite spoils
// `zero`.
template <int kPacks, int kAxes>
inline void finish_rates(const Elimination::Rates& rates, const Tables& tables, int first,
                         Work& work, Pack& zero) {
  const int axis[2] = {rates.axis, rates.other};
  Pack sum[kAxes][kPacks];
  const double* by_velocity[kAxes];
  for (int k = 0; k < kAxes; ++k) {
    by_velocity[k] = work.by_velocity.entries(axis[k]);
    const Lanes* row = work.P_dot.row(axis[k]) + first;
    for (int i = 0; i < kPacks; ++i) sum[k][i] = pack_of(row[i]);
  }
  const auto add = [&](int unknown, const double* factor) {
    const Lanes* x = work.X.row(unknown) + first;
    for (int i = 0; i < kPacks; ++i) {
      const Pack here = pack_of(x[i]);
      for (int k = 0; k < kAxes; ++k) sum[k][i] += Pack(factor[k]) * here;
    }
  };
  for (const int j : rates.velocities) {
    double factor[kAxes];
    for (int k = 0; k < kAxes; ++k) factor[k] = by_velocity[k][j];
    add(j, factor);
  }
  for (const int r : rates.rows) {
    double factor[kAxes];
    for (int k = 0; k < kAxes; ++k) factor[k] = work.by_impulse.entries(r)[axis[k]];
    add(tables.unknown_of_row(r), factor);
  }
  for (int k = 0; k < kAxes; ++k) {
    Lanes* row = work.P_dot.row(axis[k]) + first;
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
    if (rates.other == kNothing) {
      finish_rates<kPacks, 1>(rates, tables, first, work, zero);
    } else {
      finish_rates<kPacks, 2>(rates, tables, first, work, zero);
    }
  }
  return sum_of_lanes(zero) == 0.0;
}

// In a tree without loads of its own d(pdot)/dp is what symplectic flows have, but for what efforts
// add:
//   d(pdot_k)/dp_j = -d(v_j)/dq_k      of coordinates whose rates are velocities
inline void transpose_rates(const Tables& tables, Work& work) {
  for (int pack = 0; pack < tables.q_packs; ++pack) {
    for (int rows = 0; rows < tables.v_packs; ++rows) {
      kernel::Eight x[kLaneCount];
      for (int i = 0; i < kLaneCount; ++i) x[i] = load(work.X.row(kLaneCount * rows + i)[pack]);
      kernel::transpose(x);
      for (int i = 0; i < kLaneCount; ++i) {
        const int axis = tables.axis_of[at(kLaneCount * pack + i)];
        if (axis != kNothing) store(x[i] * -1.0, work.P_dot.row(axis)[tables.q_packs + rows]);
      }
    }
  }
}

}  // namespace hamiltree::derivatives
