// WideMechanism: a mechanism in quadruple precision by the general kernel: its rates, and the
// projection and reset of a simulation.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <vector>

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/model/kinematics.hpp"
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

  WideMechanism(const System<On>& system, const RowsAtAPose<Space>& rows);

  const System<On>& system() const { return kernel_.system(); }
  void use(const RowsAtAPose<Space>& rows) { rows.give(work_.fronts); }

  // One step of Newton's towards closed loops.
  void project(const Quad& t, Quads& q);

  // (A M^-1 A^T)^-1 phi at q.
  Quads closing_impulses(const Quad& t, const Quads& q, const Quads& phi);

  // Momenta of a motion that no loop impulse disturbs.
  Quads momenta(const Quad& t, const Quads& q, const Quads& v);

  Quads velocities(const Quad& t, const Quads& q, const Quads& p);

  void reset(const Quad& t, const Quads& q, Quads& p);

  Rates rates(const Quad& t, const Quads& q, const Quads& p);

 private:
  // Velocities of the mechanism at rest whose loops are asked to close by phi.
  void close(const Quad& t, const Quads& q, const Quads& phi);

  Recursive<On> kernel_;
  typename Recursive<On>::Work work_;
  Kinematics<On> kin_;
};

// Compiled once, in wide_mechanism.cpp.
extern template class WideMechanism<Planar<double>>;
extern template class WideMechanism<Spatial<double>>;

}  // namespace hamiltree::test
