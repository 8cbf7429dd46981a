// What the HDCA decides outside the hot path: the rank of every join that closes loops, once, and
// its rows, at every step boundary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/formulations/hdca/rows.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Hdca<Space>> {
  using Kernel = Hdca<Space>;
  using Work = typename Kernel::Work;

  // The rank is that of the manifold, not of one pose, which may be singular: the largest seen at
  // the given pose and at poses a short admissible way off, brought back onto the loops.
  static Redundancy analyse(const Kernel& kernel, const StateView& state, Work& work) {
    const auto& system = kernel.system();
    std::vector<double> p(at(system.velocities), 0.0);
    std::vector<double> q(state.q, state.q + system.coordinates);
    work.ranks.assign(work.fronts.size(), kNone);
    choose(kernel, q.data(), work);
    auto ranks = ranks_of(work);
    std::mt19937_64 random(2017);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int trial = 0; trial < 3 && system.constraints > 0; ++trial) {
      work.ranks = ranks;
      std::copy(state.q, state.q + system.coordinates, q.begin());
      for (auto& value : p) value = uniform(random);
      if (!wander(kernel, q, p, work)) continue;
      work.ranks.assign(work.fronts.size(), kNone);
      choose(kernel, q.data(), work);
      const auto seen = ranks_of(work);
      for (std::size_t c = 0; c < ranks.size(); ++c) ranks[c] = std::max(ranks[c], seen[c]);
    }
    work.ranks = ranks;
    choose(kernel, state.q, work);
    Redundancy redundancy{system.constraints, 0};
    for (std::size_t c = 0; c < ranks.size(); ++c) {
      redundancy.redundant += work.fronts[c].eliminated - ranks[c];
    }
    return redundancy;
  }

  // Rows are chosen anew only where a pivot of the last evaluation has fallen far behind the
  // largest: watching costs nothing, the pivots are there.
  static void prepare(const Kernel& kernel, const StateView& state, Work& work) {
    for (const auto& front : work.fronts) {
      if (front.mask > 0.0 && hdca::is_worn(front)) return choose(kernel, state.q, work);
    }
  }

  // Joints whose rows a masked pivot released at the last evaluation.
  static std::vector<int> singular_joints(const Kernel&, const Work& work) {
    std::vector<int> joints;
    for (const auto& front : work.fronts) {
      for (const int i : front.order) {
        if (front.inverse_pivot[at(i)] != 0.0) continue;
        const auto& row = work.rows[at(front.rows[at(i)])];
        if (std::find(joints.begin(), joints.end(), row.joint) == joints.end()) {
          joints.push_back(row.joint);
        }
      }
    }
    return joints;
  }

  static std::string plan(const Kernel& kernel) { return kernel.plan().to_text(); }

 private:
  static void choose(const Kernel& kernel, const double* q, Work& work) {
    hdca::assemble(
        kernel.system(), kernel.plan(), q,
        [&](int c) {
          const auto i = at(c);
          auto& front = work.fronts[i];
          if (front.mask == 0.0) return;
          const int rank = hdca::choose_rows(front, work.ranks[i], work.scratch);
          if (work.ranks[i] == kNone) work.ranks[i] = rank;
        },
        work);
  }

  static std::vector<int> ranks_of(const Work& work) {
    std::vector<int> ranks;
    for (const auto& front : work.fronts) ranks.push_back(static_cast<int>(front.order.size()));
    return ranks;
  }

  // Moves q along the admissible velocities of the momenta p, then closes the loops by Newton.
  static bool wander(const Kernel& kernel, std::vector<double>& q, const std::vector<double>& p,
                     Work& work) {
    const auto& system = kernel.system();
    kernel.velocities(q.data(), p.data(), nullptr, work);
    double fastest = 0.0;
    for (const double rate : work.result.q_dot) fastest = std::max(fastest, std::abs(rate));
    if (!(fastest > 0.0) || !std::isfinite(fastest)) return false;
    constexpr double kStep = 0.05;  // rad or m of the fastest coordinate
    advance(system, q, work.result.q_dot, kStep / fastest);
    const std::vector<double> at_rest(p.size(), 0.0);
    std::vector<double> phi(at(system.constraints));
    for (int iteration = 0; iteration < 8; ++iteration) {
      place(system, q.data(), work.kin);
      position_residual(system, work.kin, phi.data());
      kernel.velocities(q.data(), at_rest.data(), phi.data(), work);
      advance(system, q, work.result.q_dot, 1.0);
    }
    place(system, q.data(), work.kin);
    position_residual(system, work.kin, phi.data());
    const Eigen::Map<const Eigen::VectorXd> residual(phi.data(), system.constraints);
    return largest_residual(system, residual) < 1e-10 * system.length;
  }

  static void advance(const System<Space>& system, std::vector<double>& q,
                      const std::vector<double>& rates, double h) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * rates[i];
    normalise_coordinates(system, q.data());
  }
};

}  // namespace hamiltree
