// Factors of K = [M A^T; A 0], its entries by pack and its zeros known, and solutions with many
// right-hand sides in packs:
//   K = L d L^T
#pragma once

#include "hamiltree/formulations/derivatives/products.hpp"
#include "hamiltree/formulations/kernel/lanes.hpp"

namespace hamiltree::derivatives {

inline bool factor(const Elimination& plan, Work& work) {
  for (const auto& step : plan.steps) {
    const Lanes* row = work.K.row(step.unknown);
    const double* entries = row->lane;
    const double pivot = entries[step.unknown];
    const double inverse = 1.0 / pivot;
    if (!(inverse * inverse < 1e200)) return false;
    work.inverse[at(step.unknown)] = inverse;
    for (int i = step.first_later; i < step.end_later; ++i) {
      const int later = plan.later[at(i)];
      const double factor = entries[later] * inverse;
      work.factors[at(i)] = factor;
      Lanes* to = work.K.row(later);
      const Pack share(factor);
      for (int k = step.first_pack; k < step.end_pack; ++k) {
        const int pack = plan.packs[at(k)];
        store(pack_of(to[pack]) - share * pack_of(row[pack]), to[pack]);
      }
    }
  }
  return true;
}

// kPacks packs of each row of x, from `first` on.
template <int kPacks>
inline void solve_packs(const Elimination& plan, const Work& work, int first, PackMatrix& x) {
  const auto load_row = [&](int unknown, Pack* to) {
    const Lanes* row = x.row(unknown) + first;
    for (int k = 0; k < kPacks; ++k) to[k] = pack_of(row[k]);
  };
  const auto store_row = [&](const Pack* from, int unknown) {
    Lanes* row = x.row(unknown) + first;
    for (int k = 0; k < kPacks; ++k) store(from[k], row[k]);
  };
  const auto take_off = [&](int unknown, double factor, Pack* from) {
    const Lanes* row = x.row(unknown) + first;
    const Pack share(factor);
    for (int k = 0; k < kPacks; ++k) from[k] -= share * pack_of(row[k]);
  };
  for (const auto& step : plan.steps) {
    if (step.first_earlier == step.end_earlier) continue;
    Pack sum[kPacks];
    load_row(step.unknown, sum);
    for (int i = step.first_earlier; i < step.end_earlier; ++i) {
      const auto [unknown, factor] = plan.earlier[at(i)];
      take_off(unknown, work.factors[at(factor)], sum);
    }
    store_row(sum, step.unknown);
  }
  for (auto step = plan.steps.rbegin(); step != plan.steps.rend(); ++step) {
    Pack sum[kPacks];
    load_row(step->unknown, sum);
    const Pack inverse(work.inverse[at(step->unknown)]);
    for (int k = 0; k < kPacks; ++k) sum[k] *= inverse;
    for (int i = step->first_later; i < step->end_later; ++i)
      take_off(plan.later[at(i)], work.factors[at(i)], sum);
    store_row(sum, step->unknown);
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

// Packs from `begin` on in equal shares of at most kMost.
template <class F>
inline void in_shares(int begin, int packs, const F& f) {
  constexpr int kMost = 5;
  const int shares = (packs + kMost - 1) / kMost;
  for (int share = 0, first = 0; share < shares; ++share) {
    const int count = (packs - first) / (shares - share);
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

}  // namespace hamiltree::derivatives
