#include "hamiltree/formulations/screws/screws.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/formulations/screws/into_lanes.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {
namespace {

struct WorkspaceOf final : Workspace {
  WorkspaceOf(const Tree& tree, std::unique_ptr<Workspace> for_general)
      : general(std::move(for_general)),
        work(tree),
        velocities(general->v.size()),
        coordinate_rates(general->q_dot.size()),
        momentum_rates(general->u_dot.size()) {
    v = velocities;
    q_dot = coordinate_rates;
    u_dot = momentum_rates;
    sigma = general->sigma;
    v_dot = general->v_dot;
    lambda = general->lambda;
  }

  std::unique_ptr<Workspace> general;
  TreeWork work;
  std::vector<double> velocities, coordinate_rates, momentum_rates;
};

class Screws final : public Formulation {
 public:
  Screws(Tree tree, std::unique_ptr<JointForces> forces, std::unique_ptr<Formulation> general)
      : tree_(std::move(tree)),
        forces_(std::move(forces)),
        has_forces_(!forces_->none()),
        general_(std::move(general)) {}

  std::string_view name() const override { return general_->name(); }
  StateForm form() const override { return StateForm::kMomenta; }
  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(tree_, general_->make_workspace());
  }

  Redundancy analyse(const StateView&, Workspace&) const override { return {}; }
  bool prepare(const StateView&, Workspace&) const override { return false; }

  Status velocities(const StateView& state, const double*, Workspace& workspace) const override {
    return evaluate(state, static_cast<WorkspaceOf&>(workspace));
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOf&>(workspace);
    if (evaluate(state, own) != Status::kOk) return Status::kNotFinite;
    if (!has_forces_) return Status::kOk;
    forces_->add_efforts(state.t, state.q, own.velocities.data(), own.momentum_rates.data());
    return are_finite(own.momentum_rates) ? Status::kOk : Status::kNotFinite;
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOf&>(workspace);
    const auto status = general_->accelerations(state, *own.general);
    std::ranges::copy(own.general->v, own.velocities.begin());
    std::ranges::copy(own.general->q_dot, own.coordinate_rates.begin());
    return status;
  }
  Power power(const StateView& state, Workspace& workspace) const override {
    const auto [applied, dissipated] = forces_->power(state.t, state.q, workspace.v.data());
    return {0.0, applied, dissipated};
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    return general_->reaction(joint, *static_cast<const WorkspaceOf&>(workspace).general);
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    double twice_kinetic = 0.0;
    for (std::size_t i = 0; i < workspace.v.size(); ++i)
      twice_kinetic += state.u[i] * workspace.v[i];
    const double under_gravity = static_cast<const WorkspaceOf&>(workspace).work.potential;
    return Energies{0.5 * twice_kinetic, under_gravity + forces_->stored_energy(state.q)};
  }
  std::vector<int> singular_joints(const Workspace&) const override { return {}; }
  std::string plan() const override { return std::string(name()) + ", " + plan_of(tree_); }

 private:
  Status evaluate(const StateView& state, WorkspaceOf& own) const {
    const bool finite = kernels_.one(tree_,
                                     {state.q, state.u, own.velocities.data(),
                                      own.coordinate_rates.data(), own.momentum_rates.data()},
                                     own.work);
    return finite ? Status::kOk : Status::kNotFinite;
  }

  Tree tree_;
  std::unique_ptr<JointForces> forces_;
  bool has_forces_;
  const Kernels& kernels_ = kernels();
  std::unique_ptr<Formulation> general_;
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(Tree tree, std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<Screws>(std::move(tree), std::move(forces), std::move(general));
}

}  // namespace hamiltree::screws
