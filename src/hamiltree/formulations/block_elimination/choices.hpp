// Choices of formulations that contract loops, outside the hot path: the rank of every front that
// closes loops, once, and its rows, at every step boundary.
//
// A Kernel offers assemble(t, q, rows, work) and joint_of(row) for the rows of its fronts; its Work
// has fronts, ranks and scratch. LoopChoices are compiled where the kernel is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/model/even_bodies.hpp"
#include "hamiltree/model/loop_joints.hpp"

namespace hamiltree {

template <class Kernel>
struct LoopChoices {
  using Work = typename Kernel::Work;

  // The rank is that of the manifold, not of one pose, which may be singular: the largest seen at
  // the given pose and at poses near it, brought back onto the loops. Where rows are left out, the
  // same joints are looked at between even_bodies(): a row that holds a heavy body may be nothing
  // beside those that hold a light one.
  static Redundancy analyse(const Kernel& kernel, const StateView& state, Work& work);

  // Rows are chosen anew only where a pivot of the last evaluation has fallen far behind the
  // largest: watching costs nothing, the pivots are there. Where that does not help, as many rows
  // are shared out otherwise among the fronts: what one of them implies for a later one depends on
  // the pose.
  static bool prepare(const Kernel& kernel, const StateView& state, Work& work);

  // Joints whose rows a masked pivot released at the last evaluation.
  static std::vector<int> singular_joints(const Kernel& kernel, const Work& work);

  static double least_pivot(const Kernel& kernel, const Work& work);

  static void lower_mask(double share, Work& work) {
    for (auto& front : work.fronts) front.mask *= share;
  }

 private:
  // Of the rows in use by front, in any order: that matters to rounding alone.
  static std::uint64_t fingerprint(const Work& work);

  static void choose(const Kernel& kernel, double t, const double* q, Work& work);

  static std::vector<int> ranks_of(const Work& work);
  static int sum_of(const std::vector<int>& ranks) {
    return std::accumulate(ranks.begin(), ranks.end(), 0);
  }

  // The ranks of the fronts, and that pose on the loops which has them and is the furthest from
  // a singular one.
  struct Seen {
    std::vector<int> ranks;
    std::vector<double> q;
    double least_pivot = 0.0;
  };
  static Seen look(const Kernel& kernel, const StateView& state, Work& work);

  // Lowers the masks of fronts that would release a row at a pose that is not singular.
  static void fit_masks(const Kernel& kernel, double t, const double* q, Work& work);

  // The ranks at the pose q, which is on the loops.
  static std::vector<int> ranks_at(const Kernel& kernel, double t, const double* q, Work& work);

  // Moves q along the displacements that the momenta p ask for, then closes the loops by Newton.
  static bool wander(const Kernel& kernel, double t, std::vector<double>& q,
                     const std::vector<double>& p, Work& work);

  // Moves q by displacements in any direction (rad and lengths of the mechanism), then closes the
  // loops by Newton with all rows that are independent where it stands. It leaves also a singular
  // pose, whose admissible displacements may point off every motion; on the loops the redundant
  // rows fall below the gap and are left out. Joints of loops that do not close begin again from
  // elsewhere: of fifty loops some never do at the first trial.
  using Draw = std::function<std::vector<double>()>;
  static bool jump(const Kernel& kernel, double t, std::vector<double>& q,
                   std::vector<double> displacements, const Draw& draw, Work& work);

  // Closes the loops from q by Newton, with the rows in use or with those chosen at every step.
  // Rows that cannot all be closed, as those of rounded numbers, stay open where Newton comes to
  // rest.
  enum class Loops { kClosed, kOpen, kOpenAtRest };
  static Loops close(const Kernel& kernel, double t, std::vector<double>& q,
                     block_elimination::RowChoice rows, Work& work);

  // The joints of the tree on loops that are open at q.
  static std::vector<int> joints_of_open_loops(const Kernel& kernel, double t, const double* q,
                                               Work& work);

  // m; how far the loops are open at q, by row in phi.
  static double gap(const Kernel& kernel, double t, const double* q, std::vector<double>& phi,
                    Work& work);

  static constexpr double kStep = 0.05;        // rad or m of the fastest coordinate
  static constexpr double kClosed = 1e-10;     // of the length
  static constexpr double kAtRest = 1e-9;      // rad or m, of a correction
  static constexpr int kTrials = 10;           // of joints of open loops
  static constexpr double kAboveMask = 10.0;   // times the mask, of rows that are used
  static constexpr double kLeastMask = 1e-14;  // times that: below it pivots are rounding

  template <class Space>
  static void advance(const System<Space>& system, std::vector<double>& q,
                      const std::vector<double>& rates, double h);
  template <class Space>
  static void lengths_to_metres(const System<Space>& system, std::vector<double>& displacements);
};

template <class Kernel>
Redundancy LoopChoices<Kernel>::analyse(const Kernel& kernel, const StateView& state, Work& work) {
  const auto rows_left_out = [&](const Seen& seen) {
    int rows = 0;
    for (std::size_t c = 0; c < seen.ranks.size(); ++c)
      rows += work.fronts[c].eliminated - seen.ranks[c];
    return rows;
  };
  auto seen = look(kernel, state, work);
  if (rows_left_out(seen) > 0) {
    const Kernel even(even_bodies(kernel.system()));
    Work on_even(even);
    auto other = look(even, state, on_even);
    if (rows_left_out(other) < rows_left_out(seen)) seen = std::move(other);
  }
  work.ranks = work.kept_ranks = seen.ranks;
  if (kernel.system().constraints > 0) fit_masks(kernel, state.t, seen.q.data(), work);
  choose(kernel, state.t, state.q, work);
  return {kernel.system().constraints, rows_left_out(seen)};
}

template <class Kernel>
typename LoopChoices<Kernel>::Seen LoopChoices<Kernel>::look(const Kernel& kernel,
                                                             const StateView& state, Work& work) {
  const auto& system = kernel.system();
  std::vector<double> q(state.q, state.q + system.coordinates);
  const auto seen_here = [&] {
    const auto ranks = ranks_at(kernel, state.t, q.data(), work);
    return Seen{ranks, q, least_pivot(kernel, work)};
  };
  auto most = seen_here();
  std::mt19937_64 random(2017);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto draw = [&] {
    std::vector<double> p(at(system.velocities));
    for (auto& value : p) value = uniform(random);
    return p;
  };
  for (int trial = 0; trial < 3 && system.constraints > 0; ++trial) {
    work.ranks = most.ranks;
    const auto at_start = [&] { std::copy(state.q, state.q + system.coordinates, q.begin()); };
    at_start();
    const auto p = draw();
    if (!wander(kernel, state.t, q, p, work)) {
      at_start();
      if (!jump(kernel, state.t, q, p, draw, work)) continue;
    }
    // The fronts' ranks belong together: where one of them has less another may have more.
    auto seen = seen_here();
    const int more = sum_of(seen.ranks) - sum_of(most.ranks);
    const bool is_further = seen.ranks == most.ranks && seen.least_pivot > most.least_pivot;
    if (more > 0 || is_further) most = std::move(seen);
  }
  return most;
}

template <class Kernel>
void LoopChoices<Kernel>::fit_masks(const Kernel& kernel, double t, const double* q, Work& work) {
  std::vector<double> before;
  for (auto& front : work.fronts) {
    before.push_back(front.mask);
    front.mask *= kAboveMask;
  }
  const auto is_masked = [](const auto& front) {
    return front.mask > 0.0 && block_elimination::least_pivot(front) == 0.0;
  };
  for (bool lowers = true; lowers;) {
    choose(kernel, t, q, work);
    lowers = false;
    for (auto& front : work.fronts) {
      if (!is_masked(front) || front.mask < kLeastMask) continue;
      front.mask /= kAboveMask;
      lowers = true;
    }
  }
  for (std::size_t c = 0; c < work.fronts.size(); ++c) {
    auto& front = work.fronts[c];
    front.mask = is_masked(front) ? before[c] : front.mask / kAboveMask;
  }
}

template <class Kernel>
bool LoopChoices<Kernel>::prepare(const Kernel& kernel, const StateView& state, Work& work) {
  if (!(least_pivot(kernel, work) < block_elimination::kWornPivot)) return false;
  const auto before = fingerprint(work);
  choose(kernel, state.t, state.q, work);
  const double chosen = least_pivot(kernel, work);
  if (chosen < block_elimination::kWornPivot) {
    work.kept_ranks = work.ranks;
    for (std::size_t c = 0; c < work.fronts.size(); ++c) {
      if (work.fronts[c].mask > 0.0) work.ranks[c] = kNone;  // fronts without loops have none
    }
    work.rank_gap = block_elimination::kWornPivot;
    choose(kernel, state.t, state.q, work);
    work.rank_gap = block_elimination::kRankGap;
    if (sum_of(work.ranks) != sum_of(work.kept_ranks) || !(least_pivot(kernel, work) > chosen)) {
      work.ranks = work.kept_ranks;
      choose(kernel, state.t, state.q, work);
    }
  }
  return fingerprint(work) != before;
}

template <class Kernel>
std::vector<int> LoopChoices<Kernel>::singular_joints(const Kernel& kernel, const Work& work) {
  std::vector<int> joints;
  for (const auto& front : work.fronts) {
    for (const int i : front.order) {
      if (front.inverse_pivot[at(i)] != 0.0) continue;
      const int joint = kernel.joint_of(front.rows[at(i)], work);
      if (std::find(joints.begin(), joints.end(), joint) == joints.end()) {
        joints.push_back(joint);
      }
    }
  }
  return joints;
}

template <class Kernel>
double LoopChoices<Kernel>::least_pivot(const Kernel&, const Work& work) {
  double least = 1.0;
  for (const auto& front : work.fronts) {
    if (front.mask > 0.0) least = std::min(least, block_elimination::least_pivot(front));
  }
  return least;
}

template <class Kernel>
std::uint64_t LoopChoices<Kernel>::fingerprint(const Work& work) {
  std::uint64_t value = 0;
  for (const auto& front : work.fronts) {
    std::uint64_t rows = 0;
    for (const int i : front.order) rows += scrambled(at(i));
    value = scrambled(value + rows);
  }
  return value;
}

template <class Kernel>
void LoopChoices<Kernel>::choose(const Kernel& kernel, double t, const double* q, Work& work) {
  kernel.assemble(t, q, block_elimination::RowChoice::kChoose, work);
}

template <class Kernel>
std::vector<int> LoopChoices<Kernel>::ranks_of(const Work& work) {
  std::vector<int> ranks;
  for (const auto& front : work.fronts) ranks.push_back(static_cast<int>(front.order.size()));
  return ranks;
}

template <class Kernel>
std::vector<int> LoopChoices<Kernel>::ranks_at(const Kernel& kernel, double t, const double* q,
                                               Work& work) {
  work.ranks.assign(work.fronts.size(), kNone);
  choose(kernel, t, q, work);
  return ranks_of(work);
}

template <class Kernel>
double LoopChoices<Kernel>::gap(const Kernel& kernel, double t, const double* q,
                                std::vector<double>& phi, Work& work) {
  place(kernel.system(), t, q, work.kin);
  position_residual(kernel.system(), work.kin, q, phi.data());
  return largest_residual(
      kernel.system(), Eigen::Map<const Eigen::VectorXd>(phi.data(), kernel.system().constraints));
}

template <class Kernel>
bool LoopChoices<Kernel>::wander(const Kernel& kernel, double t, std::vector<double>& q,
                                 const std::vector<double>& p, Work& work) {
  const auto& system = kernel.system();
  std::vector<double> phi(at(system.constraints), 0.0);
  kernel.velocities(t, q.data(), p.data(), phi.data(), work);
  double fastest = 0.0;
  for (const double rate : work.result.q_dot) fastest = std::max(fastest, std::abs(rate));
  if (!(fastest > 0.0) || !std::isfinite(fastest)) return false;
  advance(system, q, work.result.q_dot, kStep / fastest);
  return close(kernel, t, q, block_elimination::RowChoice::kKeep, work) == Loops::kClosed;
}

template <class Kernel>
bool LoopChoices<Kernel>::jump(const Kernel& kernel, double t, std::vector<double>& q,
                               std::vector<double> displacements, const Draw& draw, Work& work) {
  const auto& system = kernel.system();
  const auto start = q;
  std::vector<int> joints(at(system.body_count()));
  std::iota(joints.begin(), joints.end(), 0);
  for (int trial = 0; trial < kTrials; ++trial) {
    if (trial > 0) displacements = draw();
    lengths_to_metres(system, displacements);
    std::vector<double> rates(q.size(), 0.0);
    coordinate_rates(system, start.data(), displacements.data(), rates.data());
    auto displaced = start;
    advance(system, displaced, rates, kStep);
    for (const int j : joints) {
      const auto& joint = system.joint(j);
      std::copy_n(displaced.begin() + joint.q, joint.coordinates, q.begin() + joint.q);
    }
    const auto loops = close(kernel, t, q, block_elimination::RowChoice::kChoose, work);
    if (loops != Loops::kOpen) return loops == Loops::kClosed;
    joints = joints_of_open_loops(kernel, t, q.data(), work);
  }
  return false;
}

template <class Kernel>
typename LoopChoices<Kernel>::Loops LoopChoices<Kernel>::close(const Kernel& kernel, double t,
                                                               std::vector<double>& q,
                                                               block_elimination::RowChoice rows,
                                                               Work& work) {
  const auto& system = kernel.system();
  std::vector<double> phi(at(system.constraints), 0.0);
  const std::vector<double> at_rest(at(system.velocities), 0.0);
  double furthest = 0.0;
  for (int iteration = 0; iteration < 20; ++iteration) {
    if (gap(kernel, t, q.data(), phi, work) < kClosed * system.length) return Loops::kClosed;
    if (rows == block_elimination::RowChoice::kChoose) ranks_at(kernel, t, q.data(), work);
    kernel.velocities(t, q.data(), at_rest.data(), phi.data(), work);
    furthest = 0.0;
    for (const double rate : work.result.q_dot) furthest = std::max(furthest, std::abs(rate));
    if (!std::isfinite(furthest)) return Loops::kOpen;
    advance(system, q, work.result.q_dot, std::min(1.0, 4.0 * kStep / furthest));
  }
  return furthest < kAtRest ? Loops::kOpenAtRest : Loops::kOpen;
}

template <class Kernel>
std::vector<int> LoopChoices<Kernel>::joints_of_open_loops(const Kernel& kernel, double t,
                                                           const double* q, Work& work) {
  const auto& system = kernel.system();
  std::vector<double> phi(at(system.constraints), 0.0);
  gap(kernel, t, q, phi, work);
  const auto is_open = [&](int row) {
    return !(std::abs(phi[at(row)]) * system.row_scales[at(row)] < kClosed * system.length);
  };
  std::vector<bool> on_open(at(system.body_count()), false);
  const auto add = [&](int joint) {
    for (const int j : tree_joints(system, joint)) on_open[at(j)] = true;
  };
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& cut = system.joint(c);
    for (int row = cut.row; row < cut.row + cut.constraints; ++row) {
      if (is_open(row)) add(c);
    }
  }
  for (const auto& coupling : system.couplings) {
    if (!is_open(coupling.row)) continue;
    add(coupling.joint);
    add(coupling.to);
  }
  std::vector<int> joints;
  for (int j = 0; j < system.body_count(); ++j) {
    if (on_open[at(j)]) joints.push_back(j);
  }
  return joints;
}

template <class Kernel>
template <class Space>
void LoopChoices<Kernel>::advance(const System<Space>& system, std::vector<double>& q,
                                  const std::vector<double>& rates, double h) {
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * rates[i];
  normalise_coordinates(system, q.data());
}

template <class Kernel>
template <class Space>
void LoopChoices<Kernel>::lengths_to_metres(const System<Space>& system,
                                            std::vector<double>& displacements) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities; ++i) {
      if (joint.free[at(i)] < Space::kLinear) displacements[at(joint.v + i)] *= system.length;
    }
  }
}

}  // namespace hamiltree
