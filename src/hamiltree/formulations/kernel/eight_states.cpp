#include "hamiltree/formulations/kernel/eight_states.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/loads_of_forces.hpp"
#include "hamiltree/formulations/kernel/pivots.hpp"
#include "hamiltree/formulations/kernel/sight.hpp"
#include "hamiltree/model/loop_gaps.hpp"

namespace hamiltree::kernel {
namespace {

class EightStatesInSpace final : public EightStates {
 public:
  EightStatesInSpace(const System<Spatial<double>>& system,
                     std::unique_ptr<AddedForces> along_joints, const Tables& tables,
                     const Work& one, bool has_choice, const StateKernels& kernels)
      : system_(system),
        along_joints_(std::move(along_joints)),
        tables_(tables),
        work_(tables_),
        has_choice_(has_choice),
        kernels_(kernels),
        kin_(system),
        loop_gaps_(system),
        sigma_(at(tables.constraints)),
        phi_(at(tables.constraints)),
        at_rest_(at(tables.velocities), Pack(0.0)),
        v_(at(tables.velocities)),
        p_(at(tables.velocities)),
        p_dot_(at(tables.velocities)),
        q_(at(tables.coordinates)),
        q_dot_(at(tables.coordinates)),
        efforts_(at(tables.velocities)),
        loads_(along_joints_ ? 0 : 6 * tables.bodies.size(), Pack(0.0)),
        state_(at(tables.coordinates)),
        gaps_(at(tables.constraints)),
        motion_(at(tables.velocities)),
        rates_(at(tables.velocities)),
        of_one_(system),
        sight_(sight_of_forces(system)) {
    system.for_each_force([&](const auto&) { has_forces_ = true; });
    work_.mask = one.mask;
    take_references(one, work_);
  }

  unsigned rate(double t, const Pack* q, const Pack* p, Pack* v, Pack* q_dot,
                Pack* p_dot) override {
    auto arrays = arrays_of(q, p, v, q_dot, p_dot);
    place(t, arrays, true);
    kernels_.velocities(tables_, arrays, work_);
    const auto left = this->left();
    std::ranges::fill(efforts_, Pack(0.0));
    if (has_forces_) find_forces(t, q, v, left);
    if (!along_joints_) arrays.loads = loads_.data();
    kernels_.momentum_rates(tables_, arrays, work_);
    for (std::size_t i = 0; i < efforts_.size(); ++i) p_dot[i] += efforts_[i];
    return left;
  }

  unsigned close_loops(double t, Pack* q, Pack* p) override {
    auto arrays = arrays_of(q, at_rest_.data(), v_.data(), q_dot_.data(), p_dot_.data());
    place(t, arrays, false);
    find_gaps(q);
    arrays.phi = phi_.data();
    kernels_.velocities(tables_, arrays, work_);
    unsigned left = this->left();
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = q[i] + q_dot_[i];
    arrays = arrays_of(q_.data(), p, v_.data(), q_dot_.data(), p_dot_.data());
    place(t, arrays, true);
    kernels_.velocities(tables_, arrays, work_);
    left |= this->left();
    arrays.p_clean = p_.data();
    kernels_.momentum_rates(tables_, arrays, work_);
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((left >> lane & 1u) != 0) continue;
      for (std::size_t i = 0; i < q_.size(); ++i) q[i].set(lane, q_[i][lane]);
      for (std::size_t i = 0; i < p_.size(); ++i) p[i].set(lane, p_[i][lane]);
    }
    return left;
  }

 private:
  ArraysIn<Pack> arrays_of(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot) {
    return {.q = q, .p = p, .v = v, .q_dot = q_dot, .sigma = sigma_.data(), .p_dot = p_dot};
  }

  void place(double t, const ArraysIn<Pack>& arrays, bool moving) {
    if (!system_.drives.empty()) {
      find_drives(system_, t, kin_, work_.drives);
      work_.moving = moving;
    }
    kernels_.place(tables_, arrays, work_);
  }

  // At the poses.
  void find_gaps(const Pack* q) {
    for (int lane = 0; lane < kLanes; ++lane) {
      take_bodies(work_, lane, kin_);
      for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = q[i][lane];
      loop_gaps_.find(kin_, state_.data(), gaps_.data());
      for (std::size_t i = 0; i < phi_.size(); ++i) phi_[i].set(lane, gaps_[i]);
    }
  }

  // State by state, after the velocities; of lanes that are left nothing is asked.
  void find_forces(double t, const Pack* q, const Pack* v, unsigned left) {
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((left >> lane & 1u) != 0) continue;
      for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = q[i][lane];
      for (std::size_t i = 0; i < motion_.size(); ++i) motion_[i] = v[i][lane];
      std::ranges::fill(rates_, 0.0);
      if (along_joints_) {
        along_joints_->add_efforts(t, state_.data(), motion_.data(), rates_.data());
      } else {
        take_all(system_, tables_, work_, lane, sight_, kin_);
        find_loads({system_, kin_, t, state_.data(), motion_.data()}, of_one_, nullptr);
        add_joint_efforts(system_, of_one_, rates_.data());
        for (const int b : sight_.bodies) {
          const auto& load = of_one_.body[at(b)];
          for (int i = 0; i < 6; ++i) loads_[at(6 * b + i)].set(lane, load(i));
        }
      }
      for (std::size_t i = 0; i < rates_.size(); ++i) efforts_[i].set(lane, rates_[i]);
    }
  }

  // Lanes in which some loop cannot close where the tables would have it, a watched pivot is
  // lost, or other rows must be chosen.
  unsigned left() const {
    unsigned left = 0;
    const auto least = has_choice_ ? least_pivot(tables_, work_) : Pack(1.0);
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool is_worn = !(least[lane] >= block_elimination::kWornPivot);
      if (work_.held[lane] != 0.0 || is_worn) left |= 1u << lane;
    }
    return left;
  }

  const System<Spatial<double>>& system_;
  std::unique_ptr<AddedForces> along_joints_;  // null: some act otherwise
  bool has_forces_ = false;
  Tables tables_;
  WorkIn<Pack> work_;
  bool has_choice_;
  const StateKernels& kernels_;
  Kinematics<Spatial<double>> kin_;
  LoopGaps<Spatial<double>> loop_gaps_;
  std::vector<Pack> sigma_, phi_, at_rest_, v_, p_, p_dot_, q_, q_dot_, efforts_, loads_;
  std::vector<double> state_, gaps_, motion_, rates_;  // of one lane, as the last
  Loads<Spatial<double>> of_one_;
  Sight sight_;
};

}  // namespace

std::unique_ptr<EightStates> eight_states(const System<Spatial<double>>& system,
                                          std::unique_ptr<AddedForces> along_joints,
                                          const Tables& tables, const Work& work, bool has_choice) {
  const auto* kernels = state_kernels();
  if (kernels == nullptr) return nullptr;
  return std::make_unique<EightStatesInSpace>(system, std::move(along_joints), tables, work,
                                              has_choice, *kernels);
}

}  // namespace hamiltree::kernel
