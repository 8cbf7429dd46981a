// The Hamiltonian divide-and-conquer algorithm for any topology [Chadaj2017]: bodies become fronts
// (leaf.hpp), fronts are contracted in the order of a Plan (join.hpp, front.hpp), impulses and
// velocities come back down (velocities.hpp), then loads and momentum rates (momentum_rates.hpp).
// Contracting constraint rows this way is a multifrontal L d L^T of the matrix G M^-1 G^T.
#pragma once

#include <utility>

#include "hamiltree/formulations/hdca/assembly.hpp"
#include "hamiltree/formulations/hdca/momentum_rates.hpp"
#include "hamiltree/formulations/hdca/velocities.hpp"
#include "hamiltree/formulations/hdca/work.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree {

template <class Space>
class Hdca {
 public:
  using Scalar = typename Space::Scalar;
  static constexpr const char* kName = "hdca";

  struct Work : hdca::Work<Space> {
    explicit Work(const Hdca& kernel) : hdca::Work<Space>(kernel.system(), kernel.plan()) {}
  };

  explicit Hdca(System<Space> system)
      : system_(std::move(system)),
        plan_(make_balanced_plan(system_.body_count(), plan_joints(system_))) {}

  const System<Space>& system() const { return system_; }
  const Plan& plan() const { return plan_; }

  // v and sigma with D^T (V_child - V_parent) = -phi at the cuts (phi null: 0).
  void velocities(const Scalar* q, const Scalar* p, const Scalar* phi, Work& work) const {
    hdca::assemble(
        system_, plan_, q, [](int) {}, work);
    hdca::disassemble(system_, plan_, p, phi, work);
    coordinate_rates(system_, q, work.result.v.data(), work.result.q_dot.data());
  }

  // p_dot after velocities() at the same state.
  void momentum_rates(const Scalar& t, const Scalar* q, Work& work) const {
    evaluate_loads(system_, work.kin, t, q, work.result.v.data(), work.loads);
    add_cut_loads(system_, work);
    hdca::solve_momentum_rates(system_, plan_, work);
  }

 private:
  System<Space> system_;
  Plan plan_;
};

}  // namespace hamiltree
