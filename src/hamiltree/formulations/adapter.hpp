// Adapter: a kernel (Hdca, Recursive, Dense over a space of double) as a GeneralKernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/formulations/transmitted.hpp"

namespace hamiltree {

// Choices outside the hot path, for a kernel that has none.
template <class Kernel>
struct DefaultChoices {
  static Redundancy analyse(const Kernel& kernel, const StateView&, typename Kernel::Work&) {
    return {kernel.system().constraints, 0};
  }
  static bool prepare(const Kernel&, const StateView&, typename Kernel::Work&) { return false; }
  static std::vector<int> singular_joints(const Kernel&, const typename Kernel::Work&) {
    return {};
  }
  static double least_pivot(const Kernel&, const typename Kernel::Work&) { return 1.0; }
  static void lower_mask(double, typename Kernel::Work&) {}
};

// Kernels with something to say specialise it.
template <class Kernel>
struct KernelChoices : DefaultChoices<Kernel> {};

template <class Kernel>
class GeneralKernelOf final : public GeneralKernel {
 public:
  // `joints`: of each joint of the model its number in the kernel's tables; empty: the same.
  explicit GeneralKernelOf(Kernel kernel, std::vector<int> joints = {})
      : kernel_(std::move(kernel)), joints_(std::move(joints)) {}

  StateForm form() const override { return Kernel::kForm; }
  bool takes_least_impulses() const override {
    return requires { Kernel::kTakesLeastImpulses; };
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(kernel_);
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    return KernelChoices<Kernel>::analyse(kernel_, state, work(workspace));
  }
  bool prepare(const StateView& state, Workspace& workspace) const override {
    return KernelChoices<Kernel>::prepare(kernel_, state, work(workspace));
  }
  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    kernel_.velocities(state.t, state.q, state.u, phi, work(workspace));
    return are_finite(workspace.v) ? Status::kOk : Status::kNotFinite;
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    kernel_.velocities(state.t, state.q, state.u, nullptr, work(workspace));
    if constexpr (Kernel::kForm == StateForm::kMomenta) {
      kernel_.momentum_rates(state.t, state.q, work(workspace));
      if (workspace.leak > 0.0) add_leak(kernel_.system(), workspace.leak, work(workspace));
    } else {
      kernel_.accelerations(state.t, state.q, work(workspace));
    }
    return are_finite(workspace.v) && are_finite(workspace.u_dot) ? Status::kOk
                                                                  : Status::kNotFinite;
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    kernel_.velocities(state.t, state.q, state.u, nullptr, work(workspace));
    kernel_.accelerations(state.t, state.q, work(workspace));
    return are_finite(workspace.v) && are_finite(workspace.v_dot) ? Status::kOk
                                                                  : Status::kNotFinite;
  }
  std::optional<Power> power(const StateView& state, Workspace& workspace) const override {
    const auto& system = kernel_.system();
    const auto forces = hamiltree::power(system, work(workspace).kin, state.t, state.q);
    Power power{0.0, forces.applied, forces.dissipated};
    if (!system.drives.empty()) {
      kernel_.accelerations(state.t, state.q, work(workspace));
      power.driven = driven_power(system, work(workspace));
    }
    return power;
  }
  std::optional<WorkRate> work_rate(const StateView& state, Workspace& workspace) const override {
    const auto& system = kernel_.system();
    const auto couples_driven = [&](const JointCoupling& coupling) {
      return !system.joint(coupling.joint).has_velocity() ||
             !system.joint(coupling.to).has_velocity();
    };
    if constexpr (requires { &Kernel::carried; }) {
      if (std::ranges::none_of(system.couplings, couples_driven)) {
        const auto forces = hamiltree::power(system, work(workspace).kin, state.t, state.q);
        WorkRate rate{{0.0, forces.applied, forces.dissipated}, {}};
        for (int j = 0; j < system.joint_count(); ++j) {
          if (system.joint(j).drive == kNone) continue;
          const auto [P, Q] = kernel_.carried(j, workspace.leak, work(workspace));
          add_driven_work(system, work(workspace).kin, j, P, Q, work(workspace).loads.effort[at(j)],
                          rate);
        }
        return rate;
      }
    }
    return RateKernel::work_rate(state, workspace);
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    return reaction_of(kernel_.system(), static_cast<const WorkspaceOf&>(workspace).work,
                       joints_.empty() ? joint : joints_[at(joint)]);
  }
  std::optional<std::vector<int>> singular_joints(const Workspace& workspace) const override {
    const auto in_tables = KernelChoices<Kernel>::singular_joints(
        kernel_, static_cast<const WorkspaceOf&>(workspace).work);
    if (joints_.empty()) return in_tables;
    std::vector<int> joints;  // that the model has
    for (const int j : in_tables) {
      const auto found = std::ranges::find(joints_, j);
      if (found != joints_.end()) joints.push_back(static_cast<int>(found - joints_.begin()));
    }
    return joints;
  }
  std::optional<double> least_pivot(const Workspace& workspace) const override {
    return KernelChoices<Kernel>::least_pivot(kernel_,
                                              static_cast<const WorkspaceOf&>(workspace).work);
  }
  void lower_mask(double share, Workspace& workspace) const override {
    KernelChoices<Kernel>::lower_mask(share, work(workspace));
  }
  bool refine(bool refines, Workspace& workspace) const override {
    using Choices = KernelChoices<Kernel>;
    if constexpr (requires { Choices::refine(refines, work(workspace)); }) {
      return Choices::refine(refines, work(workspace));
    } else {
      return false;
    }
  }

  const Kernel& kernel() const { return kernel_; }
  static const typename Kernel::Work& work_of(const Workspace& workspace) {
    return static_cast<const WorkspaceOf&>(workspace).work;
  }

 private:
  struct WorkspaceOf final : Workspace {
    explicit WorkspaceOf(const Kernel& kernel) : work(kernel) {
      v = work.result.v;
      q_dot = work.result.q_dot;
      u_dot = Kernel::kForm == StateForm::kMomenta ? work.result.p_dot : work.result.v_dot;
      sigma = work.result.sigma;
      v_dot = work.result.v_dot;
      lambda = work.result.lambda;
    }
    typename Kernel::Work work;
  };

  static typename Kernel::Work& work(Workspace& workspace) {
    return static_cast<WorkspaceOf&>(workspace).work;
  }

  Kernel kernel_;
  std::vector<int> joints_;
};

}  // namespace hamiltree
