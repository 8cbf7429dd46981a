#include "hamiltree/formulations/kernel/eight_states.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/pivots.hpp"
#include "hamiltree/formulations/kernel/sight.hpp"

namespace hamiltree::kernel {
namespace {

class EightStatesInSpace final : public EightStates {
 public:
  EightStatesInSpace(const System<Spatial<double>>& system, const Tables& tables, const Work& one,
                     bool has_choice, const StateKernels& kernels)
      : system_(system),
        tables_(tables),
        work_(tables_),
        has_choice_(has_choice),
        kernels_(kernels),
        kin_(system),
        sigma_(at(tables.constraints)) {
    work_.mask = one.mask;
    take_references(one, work_);
  }

  unsigned rate(double t, const Pack* q, const Pack* p, Pack* v, Pack* q_dot,
                Pack* p_dot) override {
    const ArraysIn<Pack> arrays{
        .q = q, .p = p, .v = v, .q_dot = q_dot, .sigma = sigma_.data(), .p_dot = p_dot};
    if (!system_.drives.empty()) {
      evaluate_drives(system_, t, kin_);
      take_drives(kin_, work_.drives);
    }
    kernels_.place(tables_, arrays, work_);
    kernels_.velocities(tables_, arrays, work_);
    kernels_.momentum_rates(tables_, arrays, work_);
    unsigned left = 0;
    const auto least = has_choice_ ? least_pivot(tables_, work_) : Pack(1.0);
    for (int lane = 0; lane < kLanes; ++lane) {
      const bool is_worn = !(least[lane] >= block_elimination::kWornPivot);
      if (work_.held[lane] != 0.0 || is_worn) left |= 1u << lane;
    }
    return left;
  }

 private:
  const System<Spatial<double>>& system_;
  Tables tables_;
  WorkIn<Pack> work_;
  bool has_choice_;
  const StateKernels& kernels_;
  Kinematics<Spatial<double>> kin_;
  std::vector<Pack> sigma_;
};

}  // namespace

std::unique_ptr<EightStates> eight_states(const System<Spatial<double>>& system,
                                          const Tables& tables, const Work& work, bool has_choice) {
  const auto* kernels = state_kernels();
  if (kernels == nullptr) return nullptr;
  return std::make_unique<EightStatesInSpace>(system, tables, work, has_choice, *kernels);
}

}  // namespace hamiltree::kernel
