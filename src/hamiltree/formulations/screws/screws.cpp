#include "hamiltree/formulations/screws/screws.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltree/formulations/screws/kernels.hpp"

namespace hamiltree::screws {
namespace {

struct WorkspaceOf final : Workspace {
  WorkspaceOf(const Tree& tree, std::unique_ptr<Workspace> for_general)
      : general(std::move(for_general)),
        theta(tree.links.size() + kLanes),
        p(tree.links.size()),
        turning(p),
        p_rate(p),
        v_by_body(p),
        p_dot_by_body(p) {
    work.resize(tree.links.size(), at(tree.branchings));
    v = q_dot = v_by_body;
    u_dot = p_dot_by_body;
    sigma = general->sigma;
    v_dot = general->v_dot;
    lambda = general->lambda;
  }

  std::unique_ptr<Workspace> general;
  ScrewWork<double> work;
  std::vector<double> theta, p, turning, p_rate;  // by link
  std::vector<double> v_by_body, p_dot_by_body;
};

class Screws final : public Formulation {
 public:
  Screws(Tree tree, std::unique_ptr<Formulation> general)
      : tree_(std::move(tree)), general_(std::move(general)) {
    heavy_ = std::ranges::any_of(tree_.gravity, [](double g) { return g != 0.0; });
  }

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
    return evaluate(state, heavy_, static_cast<WorkspaceOf&>(workspace));
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
    return std::string(name()) + ", " + std::to_string(tree_.links.size()) +
           " bodies in screw frames";
  }

 private:
  Status evaluate(const StateView& state, bool gravity, WorkspaceOf& own) const {
    const std::size_t n = tree_.links.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto b = at(tree_.body[i]);
      own.theta[i] = tree_.sign[i] * state.q[b] + tree_.offset[i];
      own.p[i] = tree_.sign[i] * state.u[b];
    }
    screws::evaluate(tree_, gravity,
                     {own.theta.data(), own.p.data(), own.turning.data(), own.p_rate.data()},
                     own.work);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto b = at(tree_.body[i]);
      own.v_by_body[b] = tree_.sign[i] * own.turning[i];
      own.p_dot_by_body[b] = tree_.sign[i] * own.p_rate[i];
      sum += own.turning[i] * 0.0 + own.p_rate[i] * 0.0;
    }
    return sum == 0.0 ? Status::kOk : Status::kNotFinite;
  }

  Tree tree_;
  std::unique_ptr<Formulation> general_;
  bool heavy_ = false;
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(Tree tree, std::unique_ptr<Formulation> general) {
  return std::make_unique<Screws>(std::move(tree), std::move(general));
}

}  // namespace hamiltree::screws
