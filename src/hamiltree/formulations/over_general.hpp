// Base class of specialised kernels: delegates to the general kernel accelerations and reactions,
// and to AddedForces all but gravity, with the arrays that all write to.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/not_finite.hpp"

namespace hamiltree {

struct WorkspaceOverGeneral : Workspace {
  WorkspaceOverGeneral(std::unique_ptr<Workspace> for_general, std::unique_ptr<AddedForces> added)
      : general(std::move(for_general)),
        forces(std::move(added)),
        velocities(general->v.size()),
        coordinate_rates(general->q_dot.size()),
        momentum_rates(general->u_dot.size()),
        impulses(general->sigma.size()) {
    v = velocities;
    q_dot = coordinate_rates;
    u_dot = momentum_rates;
    sigma = impulses;
    v_dot = general->v_dot;
    lambda = general->lambda;
  }

  // The general kernel's results.
  void copy_velocities() {
    std::ranges::copy(general->v, velocities.begin());
    std::ranges::copy(general->q_dot, coordinate_rates.begin());
    std::ranges::copy(general->sigma, impulses.begin());
  }
  void copy_rates() {
    copy_velocities();
    std::ranges::copy(general->u_dot, momentum_rates.begin());
  }

  std::unique_ptr<Workspace> general;
  std::unique_ptr<AddedForces> forces;  // null where the kernel computes them
  std::vector<double> velocities, coordinate_rates, momentum_rates, impulses;
};

class OverGeneral : public Formulation {
 public:
  bool prepare(const StateView&, Workspace&) const override { return false; }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOverGeneral&>(workspace);
    const auto status = general_->accelerations(state, *own.general);
    own.copy_velocities();
    return status;
  }
  Power power(const StateView& state, Workspace& workspace) const override {
    auto& forces = *static_cast<WorkspaceOverGeneral&>(workspace).forces;
    const auto [applied, dissipated] = forces.power(state.t, state.q, workspace.v.data());
    return {0.0, applied, dissipated};
  }
  Reaction reaction(int joint, const Workspace& workspace) const final {
    return general_->reaction(joint, *static_cast<const WorkspaceOverGeneral&>(workspace).general);
  }
  std::vector<int> singular_joints(const Workspace&) const override { return {}; }
  double least_pivot(const Workspace&) const override { return 1.0; }
  void lower_mask(double, Workspace&) const override {}

 protected:
  // `forces`: null where they are the derived class's to add.
  OverGeneral(std::string plan, std::unique_ptr<AddedForces> forces,
              std::unique_ptr<Formulation> general)
      : Formulation(general->name(), StateForm::kMomenta, std::move(plan)),
        forces_(std::move(forces)),
        has_forces_(forces_ && !forces_->none()),
        general_(std::move(general)) {}

  // After the kernel's rates.
  Status add_efforts(const StateView& state, WorkspaceOverGeneral& own) const {
    if (!has_forces_) return Status::kOk;
    own.forces->add_efforts(state.t, state.q, own.velocities.data(), own.momentum_rates.data());
    return are_finite(own.momentum_rates) ? Status::kOk : Status::kNotFinite;
  }
  // J, p v / 2: where no loop carries an impulse.
  static double kinetic_energy(const StateView& state, const Workspace& workspace) {
    return 0.5 * std::inner_product(workspace.v.begin(), workspace.v.end(), state.u, 0.0);
  }
  // For a workspace.
  std::unique_ptr<AddedForces> copy_of_forces() const {
    return forces_ ? forces_->copy() : nullptr;
  }
  bool adds_forces() const { return forces_ != nullptr; }
  const Formulation& general() const { return *general_; }

 private:
  std::unique_ptr<AddedForces> forces_;
  bool has_forces_;
  std::unique_ptr<Formulation> general_;
};

}  // namespace hamiltree
