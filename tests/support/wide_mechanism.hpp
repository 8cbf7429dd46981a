// WideMechanism: a mechanism in quadruple precision by the general kernel: its rates, and the
// projection and reset of a simulation.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/model/loops.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree::test {

// The rows of loops that are used at a pose: decided by the same kernel in double precision.
template <class Space>  // of double
class RowsAtAPose {
 public:
  explicit RowsAtAPose(const System<Space>& system)
      : chooser_{Recursive<Space>(system)}, work_(chooser_.make_workspace()) {}

  void choose(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
    chooser_.analyse({t, q.data(), p.data()}, *work_);
  }
  template <class Fronts>
  void give(Fronts& fronts) const {
    const auto& chosen = GeneralKernelOf<Recursive<Space>>::work_of(*work_).fronts;
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      fronts[c].order = chosen[c].order;
      fronts[c].mask = chosen[c].mask;
    }
  }

 private:
  GeneralKernelOf<Recursive<Space>> chooser_;
  std::unique_ptr<Workspace> work_;
};

template <class Space>  // of double
class WideMechanism {
 public:
  using On = typename Space::template Rebind<Quad>;
  using Quads = std::vector<Quad>;
  struct Rates {
    Quads q, p;
  };

  WideMechanism(const System<On>& system, const RowsAtAPose<Space>& rows)
      : kernel_(system), work_(kernel_), kin_(kernel_.system()) {
    use(rows);
  }

  const System<On>& system() const { return kernel_.system(); }
  void use(const RowsAtAPose<Space>& rows) { rows.give(work_.fronts); }

  // One step of Newton's towards closed loops.
  void project(const Quad& t, Quads& q) {
    normalise_coordinates(system(), q.data());
    if (system().constraints == 0) return;
    place(system(), t, q.data(), kin_);
    Quads phi(at(system().constraints));
    position_residual(system(), kin_, q.data(), phi.data());
    close(t, q, phi);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += work_.result.q_dot[i];
    normalise_coordinates(system(), q.data());
  }

  // (A M^-1 A^T)^-1 phi at q.
  Quads closing_impulses(const Quad& t, const Quads& q, const Quads& phi) {
    close(t, q, phi);
    Quads impulses = work_.result.sigma;
    for (auto& impulse : impulses) impulse = -impulse;
    return impulses;
  }

  // Momenta of a motion that no loop impulse disturbs.
  Quads momenta(const Quad& t, const Quads& q, const Quads& v) {
    Quads p(v.size());
    place(system(), t, q.data(), kin_);
    move(system(), v.data(), kin_);
    hamiltree::momenta(system(), kin_, p.data());
    return p;
  }

  Quads velocities(const Quad& t, const Quads& q, const Quads& p) {
    kernel_.velocities(t, q.data(), p.data(), nullptr, work_);
    return work_.result.v;
  }

  void reset(const Quad& t, const Quads& q, Quads& p) {
    if (system().constraints > 0) p = momenta(t, q, velocities(t, q, p));
  }

  Rates rates(const Quad& t, const Quads& q, const Quads& p) {
    kernel_.velocities(t, q.data(), p.data(), nullptr, work_);
    kernel_.momentum_rates(t, q.data(), work_);
    return {work_.result.q_dot, work_.result.p_dot};
  }

 private:
  // Velocities of the mechanism at rest whose loops are asked to close by phi.
  void close(const Quad& t, const Quads& q, const Quads& phi) {
    const Quads at_rest(at(system().velocities), Quad(0));
    kernel_.velocities(t, q.data(), at_rest.data(), phi.data(), work_);
  }

  Recursive<On> kernel_;
  typename Recursive<On>::Work work_;
  Kinematics<On> kin_;
};

}  // namespace hamiltree::test
