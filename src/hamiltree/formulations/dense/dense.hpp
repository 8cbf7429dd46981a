// The dense formulation: the augmented system of [Chadaj2017] sect. 2.1 in joint coordinates,
// written out as matrices. O(n^3) and slow on purpose: it shares no elimination with the other
// formulations and is what they are checked against.
#pragma once

#include <cstddef>
#include <utility>

#include "hamiltree/formulations/dense/accelerations.hpp"
#include "hamiltree/formulations/dense/assembly.hpp"
#include "hamiltree/formulations/dense/augmented.hpp"
#include "hamiltree/formulations/dense/momentum_rates.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

template <class Space>
class Dense {
 public:
  using Scalar = double;
  static constexpr const char* kName = "dense";
  static constexpr bool kTakesLeastImpulses = true;
  static constexpr StateForm kForm = StateForm::kMomenta;

  struct Work : RateWork<Space> {
    explicit Work(const Dense& kernel);

    dense::Augmented augmented;
    Eigen::VectorXd unit, rhs, residual;
    dense::Differentiated<Space> differentiated;
  };

  explicit Dense(System<Space> system) : system_(std::move(system)) {}

  const System<Space>& system() const { return system_; }

  // v and sigma from (q, p) at t; phi: see Formulation::velocities.
  void velocities(const double& t, const double* q, const double* p, const double* phi,
                  Work& work) const;

  // p_dot after velocities() at the same state.
  void momentum_rates(const double& t, const double* q, Work& work) const;

  // v_dot and all reactions after velocities() at the same state.
  void accelerations(const double& t, const double* q, Work& work) const;

 private:
  System<Space> system_;
};

template <class Space>
Dense<Space>::Work::Work(const Dense& kernel)
    : RateWork<Space>(kernel.system()),
      augmented(kernel.system().velocities, kernel.system().constraints),
      unit(kernel.system().velocities),
      rhs(kernel.system().velocities),
      residual(kernel.system().constraints),
      differentiated(kernel.system()) {
  const auto& scales = kernel.system().row_scales;
  augmented.row_scale =
      Eigen::Map<const Eigen::VectorXd>(scales.data(), static_cast<Eigen::Index>(scales.size()));
  double mass = 0.0;
  for (int b = 0; b < kernel.system().body_count(); ++b) mass += kernel.system().carried(b).mass;
  augmented.floor = dense::kEigenvalueFloor / mass;
}

template <class Space>
void Dense<Space>::velocities(const double& t, const double* q, const double* p, const double* phi,
                              Work& work) const {
  dense::assemble(system_, t, q, work.kin, work.unit, work.augmented);
  if (!system_.ballasted.empty() && system_.velocities > 0)
    work.augmented.weight = work.augmented.M.diagonal().mean();
  work.augmented.factor();
  work.kin.frozen = phi != nullptr;
  work.rhs = Eigen::Map<const Eigen::VectorXd>(p, system_.velocities);
  if (!work.kin.frozen) work.rhs -= work.augmented.b;
  Eigen::Map<Eigen::VectorXd> v(work.result.v.data(), system_.velocities);
  Eigen::Map<Eigen::VectorXd> sigma(work.result.sigma.data(), system_.constraints);
  velocity_residual(system_, work.kin, work.residual.data());  // a: at v = 0
  if (phi != nullptr) work.residual = Eigen::Map<const Eigen::VectorXd>(phi, system_.constraints);
  work.augmented.solve(work.rhs, work.residual.data(), v, sigma);
  move(system_, v.data(), work.kin);
  coordinate_rates(system_, q, v.data(), work.result.q_dot.data());
}

template <class Space>
void Dense<Space>::momentum_rates(const double& t, const double* q, Work& work) const {
  evaluate_loads(system_, work.kin, t, q, work.loads);
  dense::solve_momentum_rates(system_, t, q, work.augmented, work.differentiated, work);
}

template <class Space>
void Dense<Space>::accelerations(const double& t, const double* q, Work& work) const {
  momentum_rates(t, q, work);
  dense::solve_accelerations(system_, t, q, work.augmented, work.differentiated, work.rhs,
                             work.residual, work);
}

// Compiled once, in dense.cpp.
extern template class Dense<Planar<double>>;
extern template class Dense<Spatial<double>>;

}  // namespace hamiltree
