// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include <algorithm>

#include "hamiltree/base/inline_all.hpp"

HAMILTREE_INLINE_ALL_BEGIN

#include "hamiltree/formulations/derivatives/axes.hpp"
#include "hamiltree/formulations/derivatives/body_loads.hpp"
#include "hamiltree/formulations/derivatives/factors.hpp"
#include "hamiltree/formulations/derivatives/kernel_sets.hpp"
#include "hamiltree/formulations/derivatives/loop_rows.hpp"
#include "hamiltree/formulations/derivatives/products.hpp"

namespace hamiltree::derivatives {
namespace {

template <int kDim>
HAMILTREE_FLAT void pose_in(const Tables& tables, const kernel::Work& placed, Work& work) {
  find_composites(tables, placed, work);
  find_axes<kDim>(tables, placed, work);
  find_masses<kDim>(tables, work);
  find_loop_rows<kDim>(tables, placed, work);
}
void pose(const Tables& tables, const kernel::Work& placed, Work& work) {
  return tables.dimension == 6 ? pose_in<6>(tables, placed, work)
                               : pose_in<3>(tables, placed, work);
}

HAMILTREE_FLAT bool factor_flat(const Elimination& plan, Work& work) { return factor(plan, work); }
HAMILTREE_FLAT void solve_one(const Elimination& plan, const Tables& tables, Work& work) {
  solve_primal(plan, tables, work);
}

template <int kDim>
HAMILTREE_FLAT void move_in(const Tables& tables, const kernel::Work& placed, const double* v,
                            Work& work) {
  move_bodies<kDim>(tables, placed, v, work);
}
void move(const Tables& tables, const kernel::Work& placed, const double* v, Work& work) {
  return tables.dimension == 6 ? move_in<6>(tables, placed, v, work)
                               : move_in<3>(tables, placed, v, work);
}

template <int kDim>
HAMILTREE_FLAT void project_in(const Tables& tables, const Work& work, double* momenta,
                               double* opening) {
  for (std::size_t k = 0; k < tables.axes.size(); ++k) {
    const Screw S = load(work.here[k]), P = load(work.momenta[at(tables.axes[k].body)]);
    momenta[k] = dot(S.l, P.l) + dot(S.a, P.a);
  }
  for (const auto& cut : tables.cuts) find_opening<kDim>(cut, work, opening);
}
void project(const Tables& tables, const Work& work, double* momenta, double* opening) {
  return tables.dimension == 6 ? project_in<6>(tables, work, momenta, opening)
                               : project_in<3>(tables, work, momenta, opening);
}

template <int kDim>
HAMILTREE_FLAT void displace_in(const Tables& tables, const kernel::Work& placed, Work& work) {
  displace_axes<kDim>(tables, placed, work);
}
template <int kDim>
HAMILTREE_FLAT void momenta_in(const Tables& tables, Work& work) {
  differentiate_momenta<kDim>(tables, work);
}
template <int kDim>
HAMILTREE_FLAT void loops_in(const Tables& tables, const State& state, Work& work) {
  differentiate_loops<kDim>(tables, state, work);
  differentiate_loads<kDim>(tables, work);
}
template <int kDim>
void differentiate_in(const Tables& tables, const kernel::Work& placed, const State& state,
                      Work& work) {
  displace_in<kDim>(tables, placed, work);
  momenta_in<kDim>(tables, work);
  loops_in<kDim>(tables, state, work);
}
void differentiate(const Tables& tables, const kernel::Work& placed, const State& state,
                   Work& work) {
  return tables.dimension == 6 ? differentiate_in<6>(tables, placed, state, work)
                               : differentiate_in<3>(tables, placed, state, work);
}

HAMILTREE_FLAT void solve(const Elimination& plan, Work& work) {
  solve_blocks<false>(plan, plan.forwards, work);
  solve_blocks<true>(plan, plan.backwards, work);
}
HAMILTREE_FLAT bool finish(const Elimination& plan, const Tables& tables, Work& work) {
  bool is_finite = true;
  const auto finish_from = [&](int begin, int packs, const auto& takes) {
    in_shares<kMostPacks>(begin, packs, [&]<int kPacks>(int first) {
      is_finite &= finish_packs<kPacks>(plan, tables, first, takes, work);
    });
  };
  const auto all = [](const Elimination::Rates&) { return true; };
  if (tables.constraints > 0 || !tables.loads.empty()) {
    finish_from(0, tables.column_packs(), all);
    return is_finite;
  }
  finish_from(0, tables.q_packs, all);
  finish_from(tables.q_packs, tables.v_packs, [&](const Elimination::Rates& rates) {
    const auto first = tables.coordinate_of.begin() + rates.first;
    return std::find(first, first + rates.axes, kNothing) != first + rates.axes;
  });
  transpose_rates(tables, work);
  return is_finite;
}

HAMILTREE_FLAT void find_coordinate_rates(const Tables& tables, Work& work) {
  for (const auto& [q, v, count] : tables.runs) {
    const Lanes* from = work.X.row(v);
    Lanes* to = work.Q_dot.row(q);
#pragma GCC unroll 4
    for (int i = 0; i < count * work.X.packs; ++i) store(pack_of(from[i]), to[i]);
  }
  for (std::size_t i = 0; i < tables.quasi.size(); ++i) {
    const auto& joint = tables.quasi[i];
    const auto& rates_for = work.quasi[i].rates_for;
    // Three coordinates of a free joint are rates of its first three velocities.
    for (int v = 0; v < joint.velocities; v += 3) {
      const bool is_last = v + 3 == joint.velocities;
      const int end = is_last ? joint.coordinates : v + 3;
      in_shares<kMostPacks>(0, tables.column_packs(), [&]<int kPacks>(int first) {
        Pack x[3][kPacks];
        for (int k = 0; k < 3; ++k)
          for (int p = 0; p < kPacks; ++p)
            x[k][p] = pack_of(work.X.row(joint.v + v + k)[first + p]);
        for (int c = v; c < end; ++c) {
          const double* share = rates_for[c] + v;
          Lanes* to = work.Q_dot.row(joint.q + c) + first;
          for (int p = 0; p < kPacks; ++p)
            store(Pack(share[0]) * x[0][p] + Pack(share[1]) * x[1][p] + Pack(share[2]) * x[2][p],
                  to[p]);
        }
      });
    }
  }
}

}  // namespace

const Kernels HAMILTREE_SET = {pose,  factor_flat, solve_one,
                               move,  project,     differentiate,
                               solve, finish,      find_coordinate_rates};

}  // namespace hamiltree::derivatives

HAMILTREE_INLINE_ALL_END
