// WideRun: a run of fixed steps with projection and reset after each, in quadruple precision by the
// general kernel, from a start, parameters and efforts that are moved by a small step. Its central
// differences are exact to double precision, and nothing of it is shared with derivatives.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/model/parameter_visit.hpp"
#include "hamiltree/sensitivity/run_options.hpp"
#include "sensitivity/wide_collocation.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree::test {

template <class Space>
class WideRun {
  using On = typename Space::template Rebind<Quad>;
  using Quads = std::vector<Quad>;
  using Vector = Eigen::VectorXd;

 public:
  enum class Method { kRungeKutta4, kSemiImplicit, kCollocation };

  // `direction`: of everything, parameters in the order of parameters(model).
  WideRun(const Model& model, const System<Space>& system, Method method,
          const std::vector<double>& times, const Vector& q, const Vector& v, const Vector& efforts,
          int stages = 0)
      : model_(model),
        system_(system.template cast<Quad>()),
        chooser_{Recursive<Space>(system)},
        rows_(chooser_.make_workspace()),
        method_(method),
        stages_(stages),
        times_(times),
        q_(q),
        v_(v),
        efforts_(efforts) {
    const Vector still = Vector::Zero(v.size());
    chooser_.analyse({times.front(), q.data(), still.data()}, *rows_);
  }

  // d/ds of (q, v, p) at the end.
  Vector derivative(const sensitivity::RunChange& direction, const Vector& efforts) {
    constexpr double kStep = 1e-10;
    const Quads ahead = end(direction, efforts, kStep), behind = end(direction, efforts, -kStep);
    Vector d(static_cast<Eigen::Index>(ahead.size()));
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      d(static_cast<Eigen::Index>(i)) = to_double((ahead[i] - behind[i]) / Quad(2.0 * kStep));
    }
    return d;
  }

 private:
  struct Now {
    explicit Now(const System<On>& system) : kernel(system), work(kernel), kin(system) {}
    Recursive<On> kernel;
    typename Recursive<On>::Work work;
    Kinematics<On> kin;
    Quads q, p, efforts;
  };

  static Quads moved(const Vector& x, const Vector& by, double step) {
    Quads y;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      y.push_back(Quad(x(k)) + (by.size() > 0 ? Quad(step) * Quad(by(k)) : Quad(0)));
    }
    return y;
  }

  Quads end(const sensitivity::RunChange& direction, const Vector& efforts, double step) {
    auto system = system_;
    if (direction.parameters.size() > 0) {
      ParameterVisit<On> visit(model_, system);
      Eigen::Index i = 0;
      visit.all([&](const std::string&, Quad& number) {
        number += Quad(step) * Quad(direction.parameters(i++));
      });
      visit.complete_inertias();
    }
    Now now(system);
    const auto& chosen = FormulationOf<Recursive<Space>>::work_of(*rows_);
    for (std::size_t c = 0; c < now.work.fronts.size(); ++c) {
      now.work.fronts[c].order = chosen.fronts[c].order;
      now.work.fronts[c].mask = chosen.fronts[c].mask;
    }
    now.q = moved(q_, direction.q, step);
    now.efforts = moved(efforts_, efforts, step);
    const auto v = moved(v_, direction.v, step);
    const Quad t(times_.front());
    for (int k = 0; k < 8; ++k) project(system, t, now);
    now.p.resize(v.size());
    place(system, t, now.q.data(), now.kin);
    move(system, v.data(), now.kin);
    momenta(system, now.kin, now.p.data());
    reset(system, t, now);
    for (std::size_t n = 0; n + 1 < times_.size(); ++n)
      take(system, Quad(times_[n]), Quad(times_[n + 1]) - Quad(times_[n]), now);
    Quads all = now.q;
    now.kernel.velocities(Quad(times_.back()), now.q.data(), now.p.data(), nullptr, now.work);
    const auto& end_v = now.work.result.v;
    all.insert(all.end(), end_v.begin(), end_v.end());
    all.insert(all.end(), now.p.begin(), now.p.end());
    return all;
  }

  static void project(const System<On>& system, const Quad& t, Now& now) {
    normalise_coordinates(system, now.q.data());
    if (system.constraints == 0) return;
    place(system, t, now.q.data(), now.kin);
    Quads phi(at(system.constraints));
    position_residual(system, now.kin, now.q.data(), phi.data());
    const Quads at_rest(at(system.velocities), Quad(0));
    now.kernel.velocities(t, now.q.data(), at_rest.data(), phi.data(), now.work);
    for (std::size_t i = 0; i < now.q.size(); ++i) now.q[i] += now.work.result.q_dot[i];
    normalise_coordinates(system, now.q.data());
  }

  static void reset(const System<On>& system, const Quad& t, Now& now) {
    if (system.constraints == 0) return;
    now.kernel.velocities(t, now.q.data(), now.p.data(), nullptr, now.work);
    place(system, t, now.q.data(), now.kin);
    move(system, now.work.result.v.data(), now.kin);
    momenta(system, now.kin, now.p.data());
  }

  struct Rates {
    Quads q, p;
  };
  static Rates rates(const Quad& t, const Quads& q, const Quads& p, Now& now) {
    now.kernel.velocities(t, q.data(), p.data(), nullptr, now.work);
    now.kernel.momentum_rates(t, q.data(), now.work);
    Rates k{now.work.result.q_dot, now.work.result.p_dot};
    for (std::size_t i = 0; i < k.p.size(); ++i) k.p[i] += now.efforts[i];
    return k;
  }
  static Quads sum(Quads x, const Quad& factor, const Quads& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
    return x;
  }

  void take(const System<On>& system, const Quad& t, const Quad& h, Now& now) const {
    if (method_ == Method::kSemiImplicit) {
      now.p = sum(now.p, h, rates(t, now.q, now.p, now).p);
      now.q = sum(now.q, h, rates(t, now.q, now.p, now).q);
    } else if (method_ == Method::kCollocation) {
      WideCollocation<Space>(system, now.kernel, now.work, now.efforts, stages_)
          .take(t, h, now.q, now.p);
    } else {
      const Quad half = h / Quad(2);
      const auto k1 = rates(t, now.q, now.p, now);
      const auto k2 = rates(t + half, sum(now.q, half, k1.q), sum(now.p, half, k1.p), now);
      const auto k3 = rates(t + half, sum(now.q, half, k2.q), sum(now.p, half, k2.p), now);
      const auto k4 = rates(t + h, sum(now.q, h, k3.q), sum(now.p, h, k3.p), now);
      for (const auto& [share, k] : {std::pair(6, &k1), {3, &k2}, {3, &k3}, {6, &k4}}) {
        now.q = sum(now.q, h / Quad(share), k->q);
        now.p = sum(now.p, h / Quad(share), k->p);
      }
    }
    project(system, t + h, now);
    reset(system, t + h, now);
  }

  const Model& model_;
  System<On> system_;
  FormulationOf<Recursive<Space>> chooser_;
  std::unique_ptr<Workspace> rows_;
  Method method_;
  int stages_;  // of collocation
  std::vector<double> times_;
  Vector q_, v_, efforts_;
};

}  // namespace hamiltree::test
