#include "hamiltree/formulations/screws/screws.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {
namespace {

struct WorkspaceOf final : Workspace {
  WorkspaceOf(const Tree& tree, std::unique_ptr<Workspace> for_general)
      : general(std::move(for_general)), v_by_body(tree.pins.size()), p_dot_by_body(v_by_body) {
    work.resize(tree.pins.size(), at(tree.branchings));
    v = q_dot = v_by_body;
    u_dot = p_dot_by_body;
    sigma = general->sigma;
    v_dot = general->v_dot;
    lambda = general->lambda;
  }

  std::unique_ptr<Workspace> general;
  ScrewWork<double> work;
  std::vector<double> v_by_body, p_dot_by_body;
};

class Screws final : public Formulation {
 public:
  Screws(Tree tree, std::unique_ptr<Formulation> general)
      : tree_(std::move(tree)), general_(std::move(general)) {}

  std::string_view name() const override { return general_->name(); }
  StateForm form() const override { return StateForm::kMomenta; }
  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(tree_, general_->make_workspace());
  }

  Redundancy analyse(const StateView&, Workspace&) const override { return {}; }
  bool prepare(const StateView&, Workspace&) const override { return false; }

  Status velocities(const StateView& state, const double*, Workspace& workspace) const override {
    return evaluate(state, false, static_cast<WorkspaceOf&>(workspace));
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    return evaluate(state, tree_.is_heavy(), static_cast<WorkspaceOf&>(workspace));
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& own = static_cast<WorkspaceOf&>(workspace);
    const auto status = general_->accelerations(state, *own.general);
    std::ranges::copy(own.general->v, own.v_by_body.begin());
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
    return std::string(name()) + ", " + std::to_string(tree_.pins.size()) +
           " bodies in screw frames";
  }

 private:
  Status evaluate(const StateView& state, bool gravity, WorkspaceOf& own) const {
    const bool finite =
        kernels_.one(tree_, gravity,
                     {state.q, state.u, own.v_by_body.data(), own.p_dot_by_body.data()}, own.work);
    return finite ? Status::kOk : Status::kNotFinite;
  }

  Tree tree_;
  const Kernels& kernels_ = kernels();
  std::unique_ptr<Formulation> general_;
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(Tree tree, std::unique_ptr<Formulation> general) {
  return std::make_unique<Screws>(std::move(tree), std::move(general));
}

}  // namespace hamiltree::screws
