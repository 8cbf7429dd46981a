// WideMotion: a motion in quadruple precision, by the midpoint rule of Gragg, extrapolated to order
// 20 [Hairer1993, sect. II.9], with projection and reset after each step. Nothing of it is shared
// with integrators/.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/wide_mechanism.hpp"

namespace hamiltree::test {

template <class Space>  // of double
class WideMotion {
 public:
  using Quads = typename WideMechanism<Space>::Quads;

  // Coordinates and velocities are brought onto the loops.
  WideMotion(const System<Space>& system, Quads q, const Quads& v)
      : rows_(system), wide_(system.template cast<Quad>(), choose(q)), q_(std::move(q)) {
    for (int k = 0; k < 8; ++k) wide_.project(t_, q_);
    p_ = wide_.momenta(t_, q_, v);
    wide_.reset(t_, q_, p_);
  }

  const Quads& q() const { return q_; }
  int steps() const { return steps_; }

  void go_to(double end) {
    while (t_ < Quad(end)) {
      wide_.use(choose(q_));
      const Quad left = Quad(end) - t_;
      const bool is_last = h_ >= left;
      const Quad h = is_last ? left : h_;
      auto [y, error] = extrapolated(h);
      const double factor = std::clamp(
          0.8 * std::pow(kTolerance / std::max(error, 1e-300), 1.0 / (2 * kColumns - 1)), 0.2, 2.0);
      if (error <= kTolerance) {
        t_ = is_last ? Quad(end) : t_ + h;
        const auto middle = y.begin() + static_cast<std::ptrdiff_t>(q_.size());
        q_.assign(y.begin(), middle);
        p_.assign(middle, y.end());
        wide_.project(t_, q_);
        wide_.reset(t_, q_, p_);
        ++steps_;
      }
      if (!is_last || error > kTolerance) h_ = h * Quad(factor);
    }
  }

 private:
  static constexpr int kColumns = 10;          // midpoint rules of 2, 4, ..., 20 steps
  static constexpr double kTolerance = 1e-22;  // of a step, relative to 1 + |y|

  const RowsAtAPose<Space>& choose(const Quads& q) {
    Eigen::VectorXd rounded(static_cast<Eigen::Index>(q.size()));
    std::transform(q.begin(), q.end(), rounded.data(), [](const Quad& x) { return to_double(x); });
    rows_.choose(0.0, rounded, Eigen::VectorXd::Zero(rounded.size()));
    return rows_;
  }

  Quads rates(const Quads& y) {
    const auto middle = y.begin() + static_cast<std::ptrdiff_t>(q_.size());
    auto [q, p] = wide_.rates(t_, {y.begin(), middle}, {middle, y.end()});
    q.insert(q.end(), p.begin(), p.end());
    return q;
  }

  Quads midpoint_rule(const Quads& start, const Quads& start_rates, const Quad& h, int n) {
    Quads before = start, now = start;
    for (std::size_t i = 0; i < now.size(); ++i) now[i] += h * start_rates[i];
    for (int m = 1; m < n; ++m) {
      const auto rate = rates(now);
      for (std::size_t i = 0; i < now.size(); ++i)
        before[i] = std::exchange(now[i], before[i] + Quad(2) * h * rate[i]);
    }
    return now;
  }

  // The end of a step and its error, by Aitken's and Neville's scheme.
  std::pair<Quads, double> extrapolated(const Quad& h) {
    Quads start = q_;
    start.insert(start.end(), p_.begin(), p_.end());
    const auto start_rates = rates(start);
    std::vector<Quads> row;  // T(j, 1), T(j, 2), ...
    double error = 0.0;
    for (int j = 1; j <= kColumns; ++j) {
      std::vector<Quads> next{midpoint_rule(start, start_rates, h / Quad(2 * j), 2 * j)};
      error = 0.0;
      for (int k = 1; k < j; ++k) {
        const auto& finer = next.back();
        const auto& coarser = row[at(k - 1)];
        auto better = finer;
        error = 0.0;
        for (std::size_t i = 0; i < better.size(); ++i) {
          const Quad r = Quad(j) / Quad(j - k);
          const Quad change = (finer[i] - coarser[i]) / (r * r - Quad(1));
          better[i] += change;
          error =
              std::max(error, std::abs(to_double(change)) / (1.0 + std::abs(to_double(better[i]))));
        }
        next.push_back(std::move(better));
      }
      row = std::move(next);
    }
    return {row.back(), error};
  }

  RowsAtAPose<Space> rows_;
  WideMechanism<Space> wide_;
  Quad t_ = 0.0, h_ = 0.01;
  Quads q_, p_;
  int steps_ = 0;
};

}  // namespace hamiltree::test
