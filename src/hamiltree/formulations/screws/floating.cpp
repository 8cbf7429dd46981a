#include "hamiltree/formulations/screws/floating.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {
namespace {

struct WorkspaceOf final : Workspace {
  WorkspaceOf(const FloatingChain& chain, std::unique_ptr<Workspace> for_general)
      : general(std::move(for_general)),
        work(chain),
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

  std::unique_ptr<Workspace> general;
  FloatingWork work;
  std::vector<double> velocities, coordinate_rates, momentum_rates, impulses;
};

class Floating final : public Formulation {
 public:
  Floating(FloatingChain chain, std::unique_ptr<JointForces> forces,
           std::unique_ptr<Formulation> general)
      : chain_(std::move(chain)),
        forces_(std::move(forces)),
        has_forces_(!forces_->none()),
        general_(std::move(general)) {}

  std::string_view name() const override { return general_->name(); }
  StateForm form() const override { return StateForm::kMomenta; }
  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(chain_, general_->make_workspace());
  }

  // Every cut joins a body that floats to a chain that goes no further: all rows are independent
  // at every pose. The general kernel chooses rows for the accelerations.
  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    return general_->analyse(state, *of(workspace).general);
  }
  bool prepare(const StateView&, Workspace&) const override { return false; }

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& own = of(workspace);
    return evaluate({.q = state.q, .p = state.u, .phi = phi}, own);
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    const auto status = evaluate(
        {.q = state.q, .p = state.u, .leak = own.leak, .p_dot = own.momentum_rates.data()}, own);
    if (status != Status::kOk || !has_forces_) return status;
    forces_->add_efforts(state.t, state.q, own.velocities.data(), own.momentum_rates.data());
    return are_finite(own.momentum_rates) ? Status::kOk : Status::kNotFinite;
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    auto status = general_->accelerations(state, *own.general);
    if (general_->prepare(state, *own.general)) {
      status = general_->accelerations(state, *own.general);  // with rows that serve better here
    }
    std::ranges::copy(own.general->v, own.velocities.begin());
    std::ranges::copy(own.general->q_dot, own.coordinate_rates.begin());
    std::ranges::copy(own.general->sigma, own.impulses.begin());
    return status;
  }
  Power power(const StateView& state, Workspace& workspace) const override {
    const auto [applied, dissipated] = forces_->power(state.t, state.q, workspace.v.data());
    return {0.0, applied, dissipated};
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    return general_->reaction(joint, *static_cast<const WorkspaceOf&>(workspace).general);
  }
  std::vector<int> singular_joints(const Workspace&) const override { return {}; }
  std::string plan() const override {
    return std::string(name()) + ", " + std::to_string(chain_.bodies) + " bodies in " +
           std::to_string(chain_.segments) + " floating segments of up to " +
           std::to_string(chain_.longest) + ", eight side by side in lanes";
  }

 private:
  static WorkspaceOf& of(Workspace& workspace) { return static_cast<WorkspaceOf&>(workspace); }

  Status evaluate(FloatingRequest request, WorkspaceOf& own) const {
    request.v = own.velocities.data();
    request.q_dot = own.coordinate_rates.data();
    request.sigma = own.impulses.data();
    return kernels_.floating(chain_, request, own.work) ? Status::kOk : Status::kNotFinite;
  }

  FloatingChain chain_;
  std::unique_ptr<JointForces> forces_;
  bool has_forces_;
  const Kernels& kernels_ = kernels();
  std::unique_ptr<Formulation> general_;
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(FloatingChain chain,
                                              std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<Floating>(std::move(chain), std::move(forces), std::move(general));
}

}  // namespace hamiltree::screws
