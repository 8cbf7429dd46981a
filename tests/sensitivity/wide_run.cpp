#include "sensitivity/wide_run.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "hamiltree/model/parameter_visit.hpp"
#include "sensitivity/wide_collocation.hpp"

namespace hamiltree::test {
namespace {

using Quads = std::vector<Quad>;

Quads moved(const Eigen::VectorXd& x, const Eigen::VectorXd& by, double step) {
  Quads y;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    y.push_back(Quad(x(k)) + (by.size() > 0 ? Quad(step) * Quad(by(k)) : Quad(0)));
  }
  return y;
}

Quads sum(Quads x, const Quad& factor, const Quads& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
  return x;
}

}  // namespace

template <class Space>
WideRun<Space>::WideRun(const Model& model, const System<Space>& system, Method method,
                        const std::vector<double>& times, const Vector& q, const Vector& v,
                        const Vector& efforts, int stages)
    : model_(model),
      system_(system.template cast<Quad>()),
      rows_(system),
      method_(method),
      stages_(stages),
      times_(times),
      q_(q),
      v_(v),
      efforts_(efforts) {
  rows_.choose(times.front(), q, Vector::Zero(v.size()));
}

template <class Space>
Eigen::VectorXd WideRun<Space>::derivative(const sensitivity::RunChange& direction,
                                           const Vector& efforts) {
  constexpr double kStep = 1e-10;
  const Quads ahead = end(direction, efforts, kStep), behind = end(direction, efforts, -kStep);
  Vector d(static_cast<Eigen::Index>(ahead.size()));
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    d(static_cast<Eigen::Index>(i)) = to_double((ahead[i] - behind[i]) / Quad(2.0 * kStep));
  }
  return d;
}

template <class Space>
auto WideRun<Space>::end(const sensitivity::RunChange& direction, const Vector& efforts,
                         double step) -> Quads {
  auto system = system_;
  if (direction.parameters.size() > 0) {
    ParameterVisit<On> visit(model_, system);
    Eigen::Index i = 0;
    visit.all([&](const std::string&, Quad& number) {
      number += Quad(step) * Quad(direction.parameters(i++));
    });
    visit.complete_inertias();
  }
  Now now{Wide(system, rows_), moved(q_, direction.q, step), {}, moved(efforts_, efforts, step)};
  const Quad t(times_.front());
  for (int k = 0; k < 8; ++k) now.mechanism.project(t, now.q);
  now.p = now.mechanism.momenta(t, now.q, moved(v_, direction.v, step));
  now.mechanism.reset(t, now.q, now.p);
  for (std::size_t n = 0; n + 1 < times_.size(); ++n)
    take(Quad(times_[n]), Quad(times_[n + 1]) - Quad(times_[n]), now);
  Quads all = now.q;
  const auto end_v = now.mechanism.velocities(Quad(times_.back()), now.q, now.p);
  all.insert(all.end(), end_v.begin(), end_v.end());
  all.insert(all.end(), now.p.begin(), now.p.end());
  return all;
}

template <class Space>
void WideRun<Space>::take(const Quad& t, const Quad& h, Now& now) const {
  const auto rates = [&](const Quad& time, const Quads& q, const Quads& p) {
    auto k = now.mechanism.rates(time, q, p);
    for (std::size_t i = 0; i < k.p.size(); ++i) k.p[i] += now.efforts[i];
    return k;
  };
  if (method_ == Method::kSemiImplicit) {
    now.p = sum(now.p, h, rates(t, now.q, now.p).p);
    now.q = sum(now.q, h, rates(t, now.q, now.p).q);
  } else if (method_ == Method::kCollocation) {
    WideCollocation<Space>(now.mechanism, now.efforts, stages_).take(t, h, now.q, now.p);
  } else {
    const Quad half = h / Quad(2);
    const auto k1 = rates(t, now.q, now.p);
    const auto k2 = rates(t + half, sum(now.q, half, k1.q), sum(now.p, half, k1.p));
    const auto k3 = rates(t + half, sum(now.q, half, k2.q), sum(now.p, half, k2.p));
    const auto k4 = rates(t + h, sum(now.q, h, k3.q), sum(now.p, h, k3.p));
    for (const auto& [share, k] : {std::pair(6, &k1), {3, &k2}, {3, &k3}, {6, &k4}}) {
      now.q = sum(now.q, h / Quad(share), k->q);
      now.p = sum(now.p, h / Quad(share), k->p);
    }
  }
  now.mechanism.project(t + h, now.q);
  now.mechanism.reset(t + h, now.q, now.p);
}

template class WideRun<Planar<double>>;
template class WideRun<Spatial<double>>;

}  // namespace hamiltree::test
