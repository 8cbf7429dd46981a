// GravityKernel: base class of specialised kernels that know no force but gravity. AddedForces add
// all others to their rates.
#pragma once

#include <memory>
#include <numeric>
#include <utility>

#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree {

struct GravityWorkspace : RateWorkspace {
  GravityWorkspace(const Model& model, std::unique_ptr<AddedForces> added)
      : RateWorkspace(model), forces(std::move(added)) {}

  std::unique_ptr<AddedForces> forces;  // null where the kernel computes them
};

class GravityKernel : public RateKernel {
 public:
  std::optional<Power> power(const StateView& state, Workspace& workspace) const override {
    auto& forces = *static_cast<GravityWorkspace&>(workspace).forces;
    const auto [applied, dissipated] = forces.power(state.t, state.q, workspace.v.data());
    return Power{0.0, applied, dissipated};
  }

 protected:
  // `forces`: null where they are the derived class's to add.
  GravityKernel(const Model& model, std::unique_ptr<AddedForces> forces)
      : model_(model), forces_(std::move(forces)), has_forces_(forces_ && !forces_->none()) {}

  // After the kernel's rates.
  Status add_efforts(const StateView& state, GravityWorkspace& own) const {
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
  const Model& model() const { return model_; }

 private:
  Model model_;
  std::unique_ptr<AddedForces> forces_;
  bool has_forces_;
};

}  // namespace hamiltree
