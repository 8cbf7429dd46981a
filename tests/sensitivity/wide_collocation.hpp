// WideCollocation: a step of Gauss's and of SPARK methods in quadruple precision, from the
// equations in docs/theory/time_integration.md: each turn solves for the multipliers in full
// precision.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/integrators/collocation.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/opened.hpp"
#include "support/wide_mechanism.hpp"

namespace hamiltree::test {

template <class Space>
class WideCollocation {
  using On = typename Space::template Rebind<Quad>;
  using Quads = std::vector<Quad>;

 public:
  // Refers to the mechanism, its loops closed, and the efforts.
  WideCollocation(WideMechanism<Space>& closed, const Quads& efforts, int stages)
      : system_(closed.system()),
        closed_(closed),
        efforts_(efforts),
        open_(opened(system_)),
        open_work_(open_),
        kin_(system_),
        method_(collocation(stages)),
        stages_(at(stages)) {}

  void take(const Quad& t, const Quad& h, Quads& q, Quads& p) {
    Quads y(q.size());
    to_canonical(system_, q.data(), p.data(), y.data());
    const auto s = stages_;
    const bool loops = system_.constraints > 0;
    std::vector<Quads> Q(s, q), Y(s, y), u(s), f(s), G(s, Quads(q.size(), Quad(0)));
    std::vector<Quads> lambda(s, Quads(at(system_.constraints), Quad(0)));
    for (int turn = 0;; ++turn) {
      if (turn == kMostTurns) throw std::runtime_error("the wide stages do not converge");
      for (std::size_t i = 0; i < s; ++i)
        rates(t + Quad(method_.c(index(i))) * h, Q[i], Y[i], u[i], f[i]);
      const auto node = [&](std::size_t j) {
        Quads x = q;
        for (std::size_t l = 0; l < s; ++l) add(h * Quad(method_.ab(index(j), index(l))), u[l], x);
        return x;
      };
      const auto time = [&](std::size_t j) { return t + Quad(method_.ct(index(j))) * h; };
      for (std::size_t j = 1; loops && j <= s; ++j) {
        const auto closing = closed_.closing_impulses(t, q, gaps(time(j), node(j)));
        for (std::size_t k = 0; k < s; ++k)
          add(-Quad(method_.Z_inverse(index(k), index(j - 1))) / (h * h), closing, lambda[k]);
      }
      for (std::size_t j = 0; loops && j < s; ++j) G[j] = impulses(time(j), node(j), lambda[j]);
      Quad change(0);
      for (std::size_t i = 0; i < s; ++i) {
        Quads to_q = q, to_y = y;
        for (std::size_t l = 0; l < s; ++l) {
          add(h * Quad(method_.a(index(i), index(l))), u[l], to_q);
          add(h * Quad(method_.a(index(i), index(l))), f[l], to_y);
          add(h * Quad(method_.at(index(i), index(l))), G[l], to_y);
        }
        change = std::max({change, distance(to_q, Q[i]), distance(to_y, Y[i])});
        Q[i] = to_q;
        Y[i] = to_y;
      }
      if (change < Quad(kConverged)) break;
    }
    for (std::size_t l = 0; l < s; ++l) {
      add(h * Quad(method_.b(index(l))), u[l], q);
      add(h * Quad(method_.b(index(l))), f[l], y);
      add(h * Quad(method_.bt(index(l))), G[l], y);
    }
    from_canonical(system_, q.data(), y.data(), p.data());
  }

 private:
  static constexpr int kMostTurns = 400;
  static constexpr double kConverged = 1e-25;

  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }
  static void add(const Quad& factor, const Quads& x, Quads& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * x[i];
  }
  static Quad distance(const Quads& x, const Quads& y) {
    Quad largest(0);
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, Quad(abs(x[i] - y[i])));
    return largest;
  }

  void rates(const Quad& t, const Quads& q, const Quads& y, Quads& u, Quads& f) {
    Quads p(at(system_.velocities));
    from_canonical(system_, q.data(), y.data(), p.data());
    open_.velocities(t, q.data(), p.data(), nullptr, open_work_);
    open_.momentum_rates(t, q.data(), open_work_);
    u = open_work_.result.q_dot;
    auto p_dot = open_work_.result.p_dot;
    add(Quad(1), efforts_, p_dot);
    f.resize(q.size());
    canonical_rates(system_, q.data(), y.data(), p.data(), open_work_.result.v.data(), p_dot.data(),
                    f.data());
  }
  Quads gaps(const Quad& t, const Quads& q) {
    place(system_, t, q.data(), kin_);
    Quads phi(at(system_.constraints));
    position_residual(system_, kin_, q.data(), phi.data());
    return phi;
  }
  Quads impulses(const Quad& t, const Quads& q, const Quads& lambda) {
    place(system_, t, q.data(), kin_);
    Quads change(at(system_.velocities), Quad(0)), y(q.size());
    add_loop_impulses(system_, Quad(1), lambda.data(), kin_, change.data());
    to_canonical(system_, q.data(), change.data(), y.data());
    return y;
  }

  const System<On>& system_;
  WideMechanism<Space>& closed_;
  const Quads& efforts_;
  Recursive<On> open_;
  typename Recursive<On>::Work open_work_;
  Kinematics<On> kin_;
  const Collocation& method_;
  std::size_t stages_;
};

}  // namespace hamiltree::test
