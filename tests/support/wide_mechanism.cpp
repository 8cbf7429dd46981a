#include "support/wide_mechanism.hpp"

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::test {

template <class Space>
WideMechanism<Space>::WideMechanism(const System<On>& system, const RowsAtAPose<Space>& rows)
    : kernel_(system), work_(kernel_), kin_(kernel_.system()) {
  use(rows);
}

template <class Space>
void WideMechanism<Space>::project(const Quad& t, Quads& q) {
  normalise_coordinates(system(), q.data());
  if (system().constraints == 0) return;
  place(system(), t, q.data(), kin_);
  Quads phi(at(system().constraints));
  position_residual(system(), kin_, q.data(), phi.data());
  close(t, q, phi);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += work_.result.q_dot[i];
  normalise_coordinates(system(), q.data());
}

template <class Space>
auto WideMechanism<Space>::closing_impulses(const Quad& t, const Quads& q, const Quads& phi)
    -> Quads {
  close(t, q, phi);
  Quads impulses = work_.result.sigma;
  for (auto& impulse : impulses) impulse = -impulse;
  return impulses;
}

template <class Space>
auto WideMechanism<Space>::momenta(const Quad& t, const Quads& q, const Quads& v) -> Quads {
  Quads p(v.size());
  place(system(), t, q.data(), kin_);
  move(system(), v.data(), kin_);
  hamiltree::momenta(system(), kin_, p.data());
  return p;
}

template <class Space>
auto WideMechanism<Space>::velocities(const Quad& t, const Quads& q, const Quads& p) -> Quads {
  kernel_.velocities(t, q.data(), p.data(), nullptr, work_);
  return work_.result.v;
}

template <class Space>
void WideMechanism<Space>::reset(const Quad& t, const Quads& q, Quads& p) {
  if (system().constraints > 0) p = momenta(t, q, velocities(t, q, p));
}

template <class Space>
auto WideMechanism<Space>::rates(const Quad& t, const Quads& q, const Quads& p) -> Rates {
  kernel_.velocities(t, q.data(), p.data(), nullptr, work_);
  kernel_.momentum_rates(t, q.data(), work_);
  return {work_.result.q_dot, work_.result.p_dot};
}

template <class Space>
void WideMechanism<Space>::close(const Quad& t, const Quads& q, const Quads& phi) {
  const Quads at_rest(at(system().velocities), Quad(0));
  kernel_.velocities(t, q.data(), at_rest.data(), phi.data(), work_);
}

template class WideMechanism<Planar<double>>;
template class WideMechanism<Spatial<double>>;

}  // namespace hamiltree::test
