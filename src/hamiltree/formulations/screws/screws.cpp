#include "hamiltree/formulations/screws/screws.hpp"

#include <algorithm>
#include <string>
#include <utility>

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
  Screws(const Tree& tree, std::unique_ptr<Formulation> general)
      : bodies_(tree.pins.size()),
        tree_(into_lanes(tree, costs_of(tree))),
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
    return evaluate(state, static_cast<WorkspaceOf&>(workspace));
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOf&>(workspace);
    const auto status = general_->accelerations(state, *own.general);
    std::ranges::copy(own.general->v, own.velocities.begin());
    std::ranges::copy(own.general->q_dot, own.coordinate_rates.begin());
    return status;
  }
  Power power(const StateView& state, Workspace& workspace) const override {
    auto& general = *static_cast<WorkspaceOf&>(workspace).general;
    general_->rate(state, general);
    return general_->power(state, general);
  }
  Reaction reaction(int joint, const Workspace& workspace) const override {
    return general_->reaction(joint, *static_cast<const WorkspaceOf&>(workspace).general);
  }
  std::vector<int> singular_joints(const Workspace&) const override { return {}; }
  std::string plan() const override {
    const auto text = std::string(name()) + ", " + std::to_string(bodies_) + " bodies";
    if (tree_.segments) {
      return text + " in screw frames, eight segments of " +
             std::to_string(tree_.segments->pins.size()) + " in lanes";
    }
    std::size_t steps = 0;
    for (const auto& bank : tree_.banks) steps += bank.pins.size();
    if (steps == 0) return text + " in screw frames";
    return text + " in screw frames, all but " + std::to_string(tree_.pins.size()) + " in " +
           std::to_string(steps) + " steps of eight lanes";
  }

 private:
  Status evaluate(const StateView& state, WorkspaceOf& own) const {
    const bool finite = kernels_.one(tree_,
                                     {state.q, state.u, own.velocities.data(),
                                      own.coordinate_rates.data(), own.momentum_rates.data()},
                                     own.work);
    return finite ? Status::kOk : Status::kNotFinite;
  }

  std::size_t bodies_;
  Tree tree_;
  const Kernels& kernels_ = kernels();
  std::unique_ptr<Formulation> general_;
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(const Tree& tree,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<Screws>(tree, std::move(general));
}

}  // namespace hamiltree::screws
