// The dense formulation: the augmented system of [Chadaj2017] sect. 2.1 in joint coordinates,
// written out as matrices. O(n^3) and slow on purpose: it shares no elimination with the other
// formulations and is what they are checked against.
#pragma once

#include <cstddef>
#include <utility>

#include "hamiltree/formulations/dense/assembly.hpp"
#include "hamiltree/formulations/dense/momentum_rates.hpp"
#include "hamiltree/formulations/dense/velocities.hpp"
#include "hamiltree/formulations/rate_work.hpp"

namespace hamiltree {

template <class Space>
class Dense {
 public:
  using Scalar = double;
  static constexpr const char* kName = "dense";

  struct Work : RateWork<Space> {
    explicit Work(const Dense& kernel)
        : RateWork<Space>(kernel.system()),
          augmented(kernel.system().velocities, kernel.system().constraints),
          unit(kernel.system().velocities),
          differentiated(kernel.system()) {
      const auto& system = kernel.system();
      for (int c = system.body_count(); c < system.joint_count(); ++c) {
        const auto& joint = system.joint(c);
        for (int i = 0; i < joint.constraints; ++i) {
          augmented.row_scale(joint.row + i) = row_scale(system, joint, i);
        }
      }
    }

    dense::Augmented augmented;
    Eigen::VectorXd unit;
    dense::Differentiated<Space> differentiated;
  };

  explicit Dense(System<Space> system) : system_(std::move(system)) {}

  const System<Space>& system() const { return system_; }

  // v and sigma with D^T (V_child - V_parent) = -phi at the cuts (phi null: 0).
  void velocities(const double* q, const double* p, const double* phi, Work& work) const {
    dense::assemble(system_, q, work.kin, work.unit, work.augmented.M, work.augmented.A);
    work.augmented.factor();
    Eigen::Map<Eigen::VectorXd> v(work.result.v.data(), system_.velocities);
    Eigen::Map<Eigen::VectorXd> sigma(work.result.sigma.data(), system_.constraints);
    work.augmented.solve(Eigen::Map<const Eigen::VectorXd>(p, system_.velocities), phi, v, sigma);
    move(system_, v.data(), work.kin);
    coordinate_rates(system_, q, v.data(), work.result.q_dot.data());
  }

  // p_dot after velocities() at the same state.
  void momentum_rates(const double& t, const double* q, Work& work) const {
    evaluate_loads(system_, work.kin, t, q, work.result.v.data(), work.loads);
    dense::solve_momentum_rates(system_, q, work.augmented.M, work.differentiated, work);
  }

 private:
  System<Space> system_;
};

}  // namespace hamiltree
