// The Hamiltonian divide-and-conquer algorithm for any topology [Chadaj2017]: bodies become fronts
// (leaf.hpp), fronts are contracted in the order of a Plan (join.hpp, front.hpp), impulses and
// velocities come back down (velocities.hpp), then loads and momentum rates (momentum_rates.hpp).
// Contracting constraint rows this way is a multifrontal L d L^T of the matrix G M^-1 G^T.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "hamiltree/base/pool.hpp"
#include "hamiltree/base/shared_or_alone.hpp"
#include "hamiltree/formulations/hdca/accelerations.hpp"
#include "hamiltree/formulations/hdca/assembly.hpp"
#include "hamiltree/formulations/hdca/momentum_rates.hpp"
#include "hamiltree/formulations/hdca/velocities.hpp"
#include "hamiltree/formulations/hdca/work.hpp"
#include "hamiltree/plan/plan.hpp"
#include "hamiltree/plan/schedule.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

// How threads share an evaluation. Results do not depend on it.
struct HdcaSharing {
  int threads = 1;      // 0: one for each core
  bool always = false;  // also where the caller alone is faster
  int grain = 64;       // the least bodies or compounds that a thread takes: it takes 0.1 us
};

template <class Space>
class Hdca {
 public:
  using Scalar = typename Space::Scalar;
  static constexpr const char* kName = "hdca";
  static constexpr StateForm kForm = StateForm::kMomenta;

  struct Work : hdca::Work<Space> {
    explicit Work(const Hdca& kernel);

    std::unique_ptr<Pool> pool;  // null: one thread
    SharedOrAlone velocities, momentum_rates, accelerations;
  };

  explicit Hdca(System<Space> system, HdcaSharing sharing = {})
      : system_(std::move(system)), plan_(make_plan(system_)), sharing_(sharing) {
    if (sharing.threads != 1) schedule_ = make_schedule(plan_, sharing.grain);
  }

  const System<Space>& system() const { return system_; }
  const Plan& plan() const { return plan_; }

  static int joint_of(int row, const Work& work) { return work.rows[at(row)].ends.front().joint; }

  // The factors of every compound at the pose q and the time t.
  void assemble(const Scalar& t, const Scalar* q, block_elimination::RowChoice rows,
                Work& work) const;
  // v and sigma from (q, p) at t; phi: see Formulation::velocities.
  void velocities(const Scalar& t, const Scalar* q, const Scalar* p, const Scalar* phi,
                  Work& work) const;
  // p_dot after velocities() at the same state.
  void momentum_rates(const Scalar& t, const Scalar* q, Work& work) const;
  // v_dot and all reactions after velocities() at the same state.
  void accelerations(const Scalar& t, const Scalar* q, Work& work,
                     const Scalar* feedback = nullptr) const;

 private:
  // evaluate(), by all threads of the Work where it has some and they are faster.
  template <class Evaluate>
  void share(Work& work, SharedOrAlone& choice, const Evaluate& evaluate) const {
    if (work.pool == nullptr) return evaluate();
    choice.run([&](bool shared) {
      if (shared || sharing_.always) work.executor = {work.pool.get(), &schedule_, sharing_.grain};
      evaluate();
      work.executor = {};
    });
  }

  System<Space> system_;
  Plan plan_;
  HdcaSharing sharing_;
  PlanSchedule schedule_;  // of threads
};

template <class Space>
Hdca<Space>::Work::Work(const Hdca& kernel) : hdca::Work<Space>(kernel.system(), kernel.plan()) {
  if (kernel.sharing_.threads != 1) pool = std::make_unique<Pool>(kernel.sharing_.threads);
}

template <class Space>
void Hdca<Space>::assemble(const Scalar& t, const Scalar* q, block_elimination::RowChoice rows,
                           Work& work) const {
  hdca::place_bodies(system_, t, q, work);
  hdca::contract(system_, plan_, rows, work);
}

template <class Space>
void Hdca<Space>::velocities(const Scalar& t, const Scalar* q, const Scalar* p, const Scalar* phi,
                             Work& work) const {
  share(work, work.velocities, [&] {
    assemble(t, q, block_elimination::RowChoice::kKeep, work);
    hdca::disassemble(system_, plan_, p, phi, work);
    coordinate_rates(system_, q, work.result.v.data(), work.result.q_dot.data());
  });
}

template <class Space>
void Hdca<Space>::momentum_rates(const Scalar& t, const Scalar* q, Work& work) const {
  share(work, work.momentum_rates, [&] {
    evaluate_loads(system_, work.kin, t, q, work.loads);
    add_cut_loads(system_, work.Pbar, work);
    hdca::solve_momentum_rates(system_, plan_, work);
  });
}

template <class Space>
void Hdca<Space>::accelerations(const Scalar& t, const Scalar* q, Work& work,
                                const Scalar* feedback) const {
  share(work, work.accelerations, [&] {
    evaluate_loads(system_, work.kin, t, q, work.loads);
    hdca::solve_accelerations(system_, plan_, feedback, work);
  });
}

// On double: compiled once, in hdca.cpp.
extern template class Hdca<Planar<double>>;
extern template class Hdca<Spatial<double>>;

}  // namespace hamiltree
